import Bluetooth

extension Advertisements {
    /// The formats of SwitchBot's devices.
    ///
    /// A letter in the service data identifies the model; for newer models, three bytes of the service data. The values
    /// are in the service data or in the manufacturer data.
    ///
    /// Source: OpenWonderLabs/SwitchBotAPI-BLE; sblibs/pySwitchbot.
    static let switchBot: [AdvertisementFormat] =
        // A meter sends its values twice; the values in the manufacturer data are newer.
        [0x54, 0x69].map { SwitchBot.meter("meter", $0, climate) }
        + switchBotTwice + switchBotServices + switchBotSensors + switchBotMovers + switchBotAppliances
        + switchBotLights + switchBotLocks
        // Without the manufacturer data, the service data of these meters contain only the battery.
        + [("meter", 0x77), ("meter_pro", 0x34), ("meter_pro_co2", 0x35)].map { (name: String, letter: UInt8) in
            AdvertisementFormat(
                "switchbot_\(name)",
                AdvertisementMatch(.service(0xFD3D), startingWith: SwitchBot.letter(letter), lengths: 3...255),
                [.reserved(2), SwitchBot.battery, .rest])
        }
        + [
            AdvertisementFormat(
                "switchbot_meter", AdvertisementMatch(.company(0x0969), lengths: 11...11, names: ["WoSensorTH"]),
                [.mac, .reserved(2)] + climate),
            AdvertisementFormat(
                "switchbot_meter", AdvertisementMatch(.company(0x0969), lengths: 11...12, names: ["WoIOSensor"]),
                [.mac, .reserved(2)] + climate + [.rest]),
            AdvertisementFormat(
                "switchbot_humidifier", AdvertisementMatch(.service(0xFD3D), startingWith: "65", lengths: 8...8),
                humidifier),
            AdvertisementFormat(
                "switchbot_humidifier",
                AdvertisementMatch(.serviceAndCompany(0xFD3D, length: 8, 0x02E5), lengths: 14...14),
                humidifier + [.mac]),
        ]

    /// The formats of devices whose values are all in the service data.
    private static let switchBotServices =
        [
            ("meter", 0x54, [.reserved(1), SwitchBot.charge] + climate + [SwitchBot.meterBattery]),
            ("meter", 0x69, [.reserved(1), SwitchBot.charge] + climate + [SwitchBot.meterBattery]), ("bot", 0x48, bot),
            ("motion_sensor", 0x73, motion), ("contact_sensor", 0x64, contact), ("curtain", 0x63, curtain),
            ("curtain", 0x7B, curtain), ("remote", 0x62, [.reserved(1), SwitchBot.battery]),
        ].flatMap { (name: String, letter: UInt8, fields: [Field]) in
            SwitchBot.services.map { service in
                AdvertisementFormat(
                    "switchbot_\(name)",
                    AdvertisementMatch(
                        .service(service), startingWith: SwitchBot.letter(letter), lengths: 3...255),
                    [.reserved(1)] + fields + [.rest])
            }
        }

    /// The formats of devices that send their state in the service data and in the manufacturer data.
    private static let switchBotTwice =
        SwitchBot.twice(
            "contact_sensor", 0x64, [.reserved(1)] + contactHead + [.reserved(5), passages], length: 9, contactState,
            least: 13)
        + SwitchBot.twice("contact_sensor", 0x64, [.reserved(1)] + contactHead, length: 3, contactState, least: 13)
        + SwitchBot.twice(
            "motion_sensor", 0x73, [.reserved(1)] + motionHead + [.reserved(2), motionSettings], length: 6,
            motionState, least: 8)
        + SwitchBot.twice("motion_sensor", 0x73, [.reserved(1)] + motionHead, length: 3, motionState, least: 8)
        // The Curtain 3 also sends its battery in the manufacturer data.
        + [0x63, 0x7B].flatMap {
            SwitchBot.twice(
                "curtain", $0, [.reserved(1), calibration, .reserved(1)], length: 3,
                [.reserved(2)] + curtainState + [.reserved(2), SwitchBot.battery], least: 13)
                + SwitchBot.twice(
                    "curtain", $0, [.reserved(1), calibration, SwitchBot.battery], length: 3,
                    [.reserved(2)] + curtainState, least: 11)
        }

    private static let contactHead: [Field] = [.bits(.uint8, .shown("tested", 7)), SwitchBot.battery]
    private static let passages = Field.bits(.uint8, BitField("out_count", 4...5), BitField("in_count", 6...7))
    private static let contactState: [Field] = [
        SwitchBot.sequence,
        .bits(
            .uint8, .hidden("is_open", 4), .shown("contact_timeout", 5), .shown("is_light", 6),
            .shown("motion_detected", 7)),
        .calculated("contact", "if(contact_timeout, 2, is_open)").named(.open("closed open timeout_not_closed")),
        .truth("contact_open", "is_open || contact_timeout"), .reserved(4),
        .bits(.uint8, BitField("button_count", 0...3)),
    ]

    private static let motionHead: [Field] = [.bits(.uint8, .shown("tested", 7)), SwitchBot.battery]
    private static let motionSettings = Field.bits(
        .uint8, BitField("light_intensity", 0...1), BitField("sense_distance", 2...3), .shown("iot", 4),
        .shown("led", 5))
    private static let motionState: [Field] = [
        SwitchBot.sequence, .bits(.uint8, .shown("is_light", 5), .shown("motion_detected", 6)),
    ]

    private static let switchBotSensors = [
        SwitchBot.meter("meter", 0x77, climate),
        SwitchBot.meter("meter_pro", 0x34, climate),
        SwitchBot.meter(
            "meter_pro_co2", 0x35,
            climate + [
                .reserved(2), Field.number("concentration", .uint16).bigEndian.hidden,
                // A concentration above 9,999 ppm is beyond the range of the sensor.
                .calculated(
                    "carbon_dioxide", "if(concentration > 9999, null, concentration)", "ppm",
                    kind: .carbonDioxide),
            ]),
        SwitchBot.letter(
            "hub_2", 0x76,
            [.reserved(6), .bits(.uint8, .hidden("level", 0...4))] + climate
                + lightLevel(
                    "level", "0 0 10 20 30 40 50 60 70 80 90 105 205 317 416 510 610 707 801 897 1023 1091")),
        SwitchBot.letter("hub_mini_matter", 0x25, [.reserved(7)] + climate),
        SwitchBot.letter(
            "leak_sensor", 0x26,
            [
                SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("low_battery", 7)),
                .bits(.uint8, .shown("leak", 0), .shown("tampered", 1)),
            ]),
        SwitchBot.model(
            "hub_3", "10B940",
            [
                SwitchBot.sequence, .reserved(5),
                .bits(
                    .uint8, .hidden("level", 0...3), .hidden("not_inserted", 5), BitField("network_state", 6...7)),
                .truth("sensor_inserted", "!not_inserted"),
                .bits(
                    .uint8, .hidden("tenths", 0...3), .hidden("humidity_alarms", 4...5),
                    .hidden("temperature_alarms", 6...7)),
                degrees, relativeHumidity, humidity, temperature,
                .truth("temperature_alarm", "temperature_alarms"),
                .truth("humidity_alarm", "humidity_alarms"), .bits(.uint8, .shown("motion_detected", 7)),
            ] + lightLevel("level", "0 0 50 90 205 317 510 610 707 801 1023")),
        SwitchBot.model(
            "weather_station", "1053B0",
            [SwitchBot.sequence, SwitchBot.charge] + climate + [SwitchBot.meterBattery]),
        SwitchBot.model(
            "climate_panel", "10F3D8",
            [
                SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("is_on", 7)),
                .bits(
                    .uint8, .hidden("tenths", 0...3), BitField("temp_alarm", 4...5),
                    BitField("humidity_alarm", 6...7)),
                degrees, relativeHumidity, humidity, temperature, .reserved(4),
                .bits(.uint8, .hidden("light", 1...2), .shown("motion_detected", 7)),
                .truth("is_light", "light == 2"),
            ]),
        SwitchBot.model(
            "presence_sensor", "10CCC8",
            [
                SwitchBot.sequence,
                .bits(
                    .uint8, .names("battery_range", 2...3, .open("<10% 10-19% 20-59% >=60%")),
                    .shown("motion_detected", 6), .shown("adaptive_state", 7)),
                Field.number("duration", .uint16).bigEndian, .number("trigger_flag", .uint8),
                .bits(.uint8, BitField("light_level", 0...4), .shown("led_state", 7)),
            ], hasBattery: true),
    ]

    private static let switchBotMovers = [
        SwitchBot.letter(
            "roller_shade", 0x2C,
            [
                SwitchBot.sequence, .bits(.uint8, .hidden("motion", 1...2)), .truth("in_motion", "motion"),
                .bits(.uint8, .hidden("shade", 0...6), .shown("calibration", 7)), openness,
                .bits(.uint8, BitField("device_chain", 0...3), BitField("light_level", 4...7)),
            ], hasBattery: true),
        SwitchBot.letter(
            "blind_tilt", 0x78,
            [
                SwitchBot.sequence, .bits(.uint8, .shown("calibration", 0)),
                .bits(.uint8, .number("tilt", 0...6, 1, "%"), .shown("in_motion", 7)),
                // At a tilt of 50 %, the slats are horizontal and the blind is open. `direction` is the side to which
                // the slats are turned.
                .calculated("open", "min(tilt, 100 - tilt) * 2", "%", kind: .measurement),
                .calculated("direction", "tilt > 50").named(.open("down up")),
                .bits(.uint8, BitField("light_level", 4...7)),
            ], hasBattery: true),
    ]

    /// Returns the fields of the light level, and of the illuminance in lx that corresponds to the level.
    private static func lightLevel(_ raw: String, _ illuminances: String) -> [Field] {
        let steps = illuminances.split(separator: " ").enumerated()
        let formula = steps.dropFirst().reversed().reduce("0") { rest, step in
            "if(level == \(step.offset), \(step.element), \(rest))"
        }
        return [
            .calculated("light_level", raw), .calculated("illuminance", formula, "lx", kind: .illuminance),
        ]
    }

    private static let degrees = Field.bits(.uint8, .hidden("degrees", 0...6), .hidden("above_zero", 7))
    private static let relativeHumidity = Field.bits(.uint8, .hidden("percent", 0...6))

    // Before the first measurement, all numbers are 0.
    private static let humidity = Field.calculatedHumidity("if(degrees || tenths || percent, percent, null)")
    private static let temperature = Field.calculatedTemperature(
        "if(degrees || tenths || percent, if(above_zero, 1, -1) * (degrees + tenths / 10), null)")

    /// The fields of temperature (tenths, then whole degrees with a bit that is set above zero) and relative humidity.
    private static let climate: [Field] = [
        .bits(.uint8, .hidden("tenths", 0...3)), degrees,
        .bits(.uint8, .hidden("percent", 0...6), .shown("fahrenheit", 7)), humidity, temperature,
    ]

    private static let bot: [Field] = [
        .bits(.uint8, .hidden("released", 6), .shown("switch_mode", 7)), SwitchBot.battery,
        .truth("is_on", "!switch_mode || !released"),
    ]

    private static let motion: [Field] = [
        .bits(.uint8, .shown("motion_detected", 6), .shown("tested", 7)), SwitchBot.battery, .reserved(2),
        motionSettings, .truth("is_light", "light_intensity == 2"),
    ]

    private static let contact: [Field] = [
        .bits(.uint8, .shown("motion_detected", 6), .shown("tested", 7)), SwitchBot.battery,
        .bits(.uint8, .shown("is_light", 0), .names("contact", 1...2, .open("closed open timeout_not_closed"))),
        .truth("contact_open", "contact != 0"),
        .truth("contact_timeout", "contact == 2"), .reserved(4),
        .bits(.uint8, BitField("button_count", 0...3), BitField("out_count", 4...5), BitField("in_count", 6...7)),
    ]

    private static let curtain: [Field] = [calibration, SwitchBot.battery] + curtainState

    private static let calibration = Field.bits(.uint8, .shown("calibration", 6))
    private static let curtainState: [Field] = [
        .bits(.uint8, .hidden("shade", 0...6), .shown("in_motion", 7)), openness,
        .bits(.uint8, BitField("device_chain", 0...2), BitField("light_level", 4...7)),
    ]

    /// The opening in percent: 100 minus the number that the device sends.
    private static let openness = Field.calculated(
        "position", "100 - min(shade, 100)", "%", kind: .measurement)

    private static let humidifier: [Field] = [
        .reserved(1), .number("on", .uint8).hidden, .truth("is_on", "on"), .reserved(2),
        .number("level", .uint8), .reserved(3),
    ]
}
