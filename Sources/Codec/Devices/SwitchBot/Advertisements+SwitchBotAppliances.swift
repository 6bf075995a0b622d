extension Advertisements {
    /// The formats of SwitchBot's appliances: fans, air purifiers, humidifiers, thermostats, vacuum cleaners, plugs and
    /// relays.
    ///
    /// Source: OpenWonderLabs/SwitchBotAPI-BLE; sblibs/pySwitchbot.
    static let switchBotAppliances: [AdvertisementFormat] =
        [
            SwitchBot.letter("fan", 0x7E, fan(SwitchBot.battery)),
            SwitchBot.model(
                "fan", "110760", fan(.bits(.uint8, SwitchBot.batteryLevel, .shown("charging", 7)))),
            SwitchBot.model("circulator_fan_pro", "11B340", fanPro),
            SwitchBot.letter("evaporative_humidifier", 0x23, evaporativeHumidifier),
            SwitchBot.model("smart_thermostat_radiator", "113640", thermostat),
            SwitchBot.letter("plug_mini", 0x67, plug), SwitchBot.letter("plug_mini", 0x6A, plug),
            SwitchBot.letter("plug_mini_eu", 0x3F, relay + [power]),
            SwitchBot.letter(
                "universal_remote", 0x27,
                [SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("charging", 7))]),
            SwitchBot.letter("relay_switch", 0x3B, relay), SwitchBot.letter("relay_switch_pm", 0x3C, relay + [power]),
            SwitchBot.letter(
                "garage_door_opener", 0x3E,
                [
                    SwitchBot.sequence, .bits(.uint8, .hidden("closed", 5), .shown("is_on", 7)),
                    .truth("door_open", "!closed"),
                ]),
            SwitchBot.letter(
                "relay_switch_2pm", 0x3D,
                [
                    SwitchBot.sequence, .bits(.uint8, .shown("is_on_2", 6), .shown("is_on_1", 7)), .reserved(2),
                    wholeWatts("power_1"), wholeWatts("power_2"),
                ]),
            SwitchBot.model(
                "art_frame", "113E10",
                [
                    SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("battery_charging", 7)),
                    .number("image_index", .uint8),
                    .bits(
                        .uint8, .shown("last_network_status", 2), .shown("display_mode", 3),
                        BitField("display_size", 4...7)),
                ]),
        ]
        + [0x2A, 0x2B, 0x37, 0x38].map { SwitchBot.letter("air_purifier", $0, airPurifier) }
        + [0x2E, 0x33, 0x7A].map { SwitchBot.letter("vacuum", $0, vacuum) }
        + ["10FBA8", "10E050"].map { SwitchBot.model("vacuum", $0, vacuum) }
        + [0x28, 0x7D].map { SwitchBot.letter("vacuum", $0, smallVacuum) }

    private static func fan(_ battery: Field) -> [Field] {
        [
            SwitchBot.sequence,
            .bits(
                .uint8, .shown("oscillating_vertical", 0), .shown("oscillating_horizontal", 1),
                BitField("night_light", 2...3),
                .names("mode", 4...6, .open(from: 1, "normal natural sleep baby custom_natural")),
                .shown("is_on", 7)),
            .truth("oscillating", "oscillating_vertical || oscillating_horizontal"), battery,
            .bits(.uint8, .number("speed", 0...6, 1, "%")),
        ]
    }

    /// The fields of the Circulator Fan Pro, whose night light has two levels: 1 is bright, 2 is dim.
    private static let fanPro: [Field] = [
        SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("charging", 7)),
        .bits(
            .uint8, .shown("oscillating_vertical", 0), .shown("oscillating_horizontal", 1),
            .shown("night_light_is_on", 2), .hidden("is_dim", 3),
            .names("mode", 4...6, .open(from: 1, "normal natural sleep hurricane")), .shown("is_on", 7)),
        .truth("oscillating", "oscillating_vertical || oscillating_horizontal"),
        .calculated("night_light_level", "if(night_light_is_on, is_dim + 1, 0)"),
        .bits(.uint8, .number("speed", 0...6, 1, "%")),
    ]

    private static let airPurifier: [Field] = [
        SwitchBot.sequence, .bits(.uint8, .hidden("program", 0...2), .shown("is_on", 7)),
        .bits(.uint8, .shown("child_lock", 1), .shown("is_aqi_valid", 2)),
        .bits(.uint8, .number("speed", 0...6, 1, "%")),
        .bits(.uint8, .names("aqi_level", 1...2, .open("excellent good moderate unhealthy"))),
        Field.number("filter_element_working_time", .uint16, 1, "h", kind: .duration).bigEndian,
        .number("err_code", .uint8),
        .calculated(
            "mode",
            "if(program == 1, if(speed <= 33, 1, if(speed <= 66, 2, 3)), if(program > 1 && program <= 4, program + 2, null))"
        )
        .named(.open(from: 1, "level_1 level_2 level_3 auto sleep pet")),
    ]

    private static let evaporativeHumidifier: [Field] = [
        SwitchBot.sequence.named("seq_number"),
        .bits(
            .uint8,
            .names(
                "mode", 0...3, .open(from: 1, "high medium low quiet target_humidity sleep auto drying_filter")),
            .shown("is_on", 7)),
        .bits(
            .uint8, .shown("filter_missing", 0), .shown("tilted_alert", 1), .shown("tank_removed", 2),
            .shown("child_lock", 5), .shown("over_humidify_protection", 7)),
        .bits(.uint8, .hidden("relative", 0...6), .shown("is_meter_binded", 7)),
        .bits(.uint8, .hidden("degrees", 0...6), .hidden("above_zero", 7)),
        .bits(.uint8, .names("water_level", 0...1, .reserved("empty low medium high")), .hidden("tenths", 4...7)),
        // A humidity above 100 means that neither value is known.
        .calculatedHumidity("if(is_meter_binded && relative <= 100, relative, null)"),
        .calculatedTemperature(
            "if(is_meter_binded && relative <= 100, if(above_zero, 1, -1) * (degrees + tenths / 10), null)"),
        Field.bits(.uint16, .number("filter_run_time", 0...11, 1, "h", kind: .duration)).bigEndian,
        .truth("filter_alert", "filter_run_time >= 240"), .reserved(2),
        .bits(.uint8, .number("target_humidity", 0...6, 1, "%", kind: .humidity)),
    ]

    private static let modes = NamedValues.open("schedule manual off economic comfort fast_heating")

    private static let thermostat: [Field] = [
        SwitchBot.sequence, .bits(.uint8, SwitchBot.batteryLevel, .shown("is_on", 7)),
        .bits(.uint8, .hidden("tenths", 0...3), .hidden("target_tenths", 4...7)),
        .bits(.uint8, .hidden("degrees", 0...6), .hidden("above_zero", 7)),
        .bits(.uint8, .hidden("target_degrees", 0...6), .hidden("target_above_zero", 7)),
        .calculatedTemperature("if(above_zero, 1, -1) * (degrees + tenths / 10)"),
        .calculatedTemperature(
            "if(target_above_zero, 1, -1) * (target_degrees + target_tenths / 10)", name: "target_temperature"),
        .bits(.uint8, .names("mode", 0...2, modes), .names("last_mode", 4...7, modes)),
        .bits(
            .uint8, .shown("door_open", 0), BitField("fault_code", 1...3), .shown("restarted", 4),
            .shown("need_update_temp", 5)),
    ]

    private static let vacuum: [Field] = [
        SwitchBot.sequence, .reserved(1), Field.value("soc_version", .packedVersion),
        .bits(.uint8, BitField("step", 0...3), .shown("mqtt_connected", 4)), .battery(),
        .bits(.uint8, BitField("work_status", 0...5)),
    ]

    private static let smallVacuum: [Field] = [
        SwitchBot.sequence,
        .bits(
            .uint8, .shown("work_status", 4), .shown("network_connected", 5), .shown("dustbin_connected", 6),
            .shown("dustbin_bound", 7)),
        SwitchBot.battery,
    ]

    private static let plug: [Field] = [
        SwitchBot.sequence, .bits(.uint8, .shown("is_on", 7)), .reserved(1),
        .number("wifi_rssi", .uint8, -1, "dBm", kind: .signalStrength),
        Field.bits(.uint16, .number("power", 0...14, 0.1, "W", kind: .power), .shown("overload", 15))
            .bigEndian,
    ]

    private static let relay: [Field] = [SwitchBot.sequence, .bits(.uint8, .shown("is_on", 7)), .reserved(2)]
    private static let power = wholeWatts("power")

    private static func wholeWatts(_ name: String) -> Field {
        Field.number(name, .uint16, 1, "W", kind: .power).bigEndian
    }
}
