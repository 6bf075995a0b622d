import Bluetooth

extension Advertisements {
    /// SwitchBot's devices: a letter in the service data says what they are, the rest is there or in the company's data.
    static let switchBot: [AdvertisementFormat] =
        [
            service("meter", "54", [.reserved(1), battery] + climate, in: [0xFD3D, 0x0D00]),
            service("meter", "69", [.reserved(1), battery] + climate, in: [0xFD3D, 0x0D00]),
            service("bot", "48", bot, in: [0xFD3D, 0x0D00]),
            service("motion_sensor", "73", motion, in: [0xFD3D, 0x0D00]),
            service("contact_sensor", "64", contact, in: [0xFD3D, 0x0D00]),
            service("curtain", "63", curtain, in: [0xFD3D, 0x0D00]),
            service("curtain", "7B", curtain, in: [0xFD3D, 0x0D00]),
        ].flatMap(\.self)
        + [
            company("meter", "77????", [.reserved(2)] + climate, battery: 2),
            company("meter_pro", "34????", [.reserved(2)] + climate, battery: 2),
            company(
                "meter_pro_co2", "35????", [.reserved(2)] + climate + [.reserved(2), Field.carbonDioxide().bigEndian],
                battery: 2),
            company(
                "hub_2", "76??", [.reserved(6), .bits(.uint8, BitField("light_level", 0...6))] + climate),
            company(
                "leak_sensor", "26????",
                [sequence, battery, .bits(.uint8, .shown("leak", 0), .shown("tampered", 1))]),
            company(
                "roller_shade", "2C??????????",
                [sequence, .bits(.uint8, .shown("calibrated", 3)), .bits(.uint8, .hidden("shade", 0...6)), openness]
                    + lightAndChain
                    + [battery]),
            company(
                "blind_tilt", "78????",
                [
                    sequence, .bits(.uint8, .shown("calibrated", 0)), .bits(.uint8, .number("tilt", 0...6, 1, "%")),
                    .bits(.uint8, BitField("light_level", 4...7)),
                ], battery: 2),
            company(
                "color_bulb", "75????",
                [
                    sequence, .bits(.uint8, .number("brightness", 0...6, 1, "%"), .shown("on", 7)),
                    .bits(.uint8, BitField("color_mode", 0...2), .shown("preset", 3), .shown("delay", 7)),
                    .bits(.uint8, BitField("speed", 0...6)), .bits(.uint8, BitField("loop_index", 1...7)),
                ]),
            company("vacuum", "2E????", vacuum), company("vacuum", "33????", vacuum),
            company("vacuum", "7A????", vacuum),
            AdvertisementFormat(
                "switchbot_meter", AdvertisementMatch(.company(0x0969), lengths: 11...11, names: ["WoSensorTH"]),
                [.mac, .reserved(2)] + climate),
        ]

    /// A device whose service data say all.
    private static func service(
        _ name: String, _ letter: BytePattern, _ fields: [Field], in services: [UUID]
    ) -> [AdvertisementFormat] {
        services.map { service in
            AdvertisementFormat(
                "switchbot_\(name)", AdvertisementMatch(.service(service), startingWith: letter, lengths: 3...255),
                [.reserved(1)] + fields + [rest])
        }
    }

    /// A device whose company's data say what they are, behind an address and with a letter in the service data.
    private static func company(
        _ name: String, _ start: BytePattern, _ fields: [Field], battery place: Int? = nil
    ) -> AdvertisementFormat {
        let head: [Field] =
            place.map { [.reserved($0), battery, .reserved(start.count - $0 - 1)].filter { $0.length != 0 } }
            ?? [.reserved(start.count)]
        return AdvertisementFormat(
            "switchbot_\(name)",
            AdvertisementMatch(
                .serviceAndCompany(0xFD3D, length: start.count, 0x0969), startingWith: start,
                lengths: start.count + 7...255),
            head + [.mac] + fields + [rest])
    }

    private static let rest = Field.bytes("rest").hidden.optional
    private static let sequence = Field.number("sequence_number", .uint8)
    private static let battery = Field.bits(.uint8, .number("battery", 0...6, 1, "%", homeAssistant: .battery))

    /// Tenths, degrees with a sign that is set above zero, and humidity; nothing but zeros before the first measurement.
    private static let climate: [Field] = [
        .bits(.uint8, .hidden("tenths", 0...3)), .bits(.uint8, .hidden("degrees", 0...6), .hidden("above_zero", 7)),
        .bits(.uint8, .number("humidity", 0...6, 1, "%", homeAssistant: .humidity), .shown("fahrenheit", 7)),
        .calculatedTemperature("if(above_zero, 1, -1) * (degrees + tenths / 10)"),
    ]

    private static let bot: [Field] = [
        .bits(.uint8, .hidden("released", 6), .shown("switch_mode", 7)), battery,
        .truth("on", "!switch_mode || !released"),
    ]

    private static let motion: [Field] = [
        .bits(.uint8, .shown("motion_detected", 6), .shown("tested", 7)), battery, .reserved(2),
        .bits(
            .uint8, BitField("light_intensity", 0...1), BitField("sense_distance", 2...3), .shown("iot", 4),
            .shown("led", 5)),
        .truth("is_light", "light_intensity == 2"),
    ]

    private static let contact: [Field] = [
        .bits(.uint8, .shown("motion_detected", 6), .shown("tested", 7)), battery,
        .bits(.uint8, .shown("is_light", 0), .hidden("contact", 1...2)), .truth("contact_open", "contact != 0"),
        .truth("contact_timeout", "contact == 2"), .reserved(4), .bits(.uint8, BitField("button_count", 0...3)),
    ]

    private static let curtain: [Field] =
        [
            .bits(.uint8, .shown("calibrated", 6)), battery,
            .bits(.uint8, .hidden("shade", 0...6), .shown("moving", 7)),
            openness,
        ] + lightAndChain

    /// Devices count how far they are closed, people how far they are open.
    private static let openness = Field.calculated("position", "100 - shade", "%", homeAssistant: .plain)
    private static let lightAndChain: [Field] = [
        .bits(.uint8, BitField("device_chain", 0...2), BitField("light_level", 4...6)), .reserved(1),
    ]

    private static let vacuum: [Field] = [
        sequence, .reserved(4), .bits(.uint8, BitField("step", 0...3), .shown("mqtt_connected", 4)), .battery(),
        .number("work_status", .uint8),
    ]
}
