extension Advertisements {
    /// The formats of SwitchBot's lamps.
    ///
    /// Source: sblibs/pySwitchbot.
    static let switchBotLights: [AdvertisementFormat] =
        [
            SwitchBot.letter(
                "color_bulb", 0x75,
                [
                    SwitchBot.sequence, .bits(.uint8, brightness, .shown("is_on", 7)),
                    .bits(.uint8, BitField("color_mode", 0...2), .shown("preset", 3), .shown("delay", 7)),
                    .bits(.uint8, BitField("speed", 0...6)), .bits(.uint8, BitField("loop_index", 1...7)),
                ]),
            SwitchBot.letter("light_strip", 0x72, strip),
        ]
        + [0x71, 0x6E].map { SwitchBot.letter("ceiling_light", $0, ceiling) }
        // Rope lights, light strips, light bars, outdoor lights and floor lamps have the following model bytes in common.
        + ["10D0B0", "10D0B1"].map { SwitchBot.model("light", $0, strip + [.reserved(7), white]) }
        + ["10D0B3", "10D0B4", "10D0B7", "11BEF8"].map { SwitchBot.model("light", $0, strip + [.reserved(1), white]) }
        + ["10D0B5", "10D0B6"].map { SwitchBot.model("light", $0, strip) }
        + [
            SwitchBot.model(
                "ceiling_light", "11BB10",
                strip + [
                    .reserved(1), white, .reserved(1),
                    .bits(.uint8, .number("main_brightness", 0...6, 1, "%"), .shown("main_is_on", 7)),
                ]),
            SwitchBot.model(
                "candle_warmer_lamp", "1122B8",
                [
                    SwitchBot.sequence, .bits(.uint8, brightness, .shown("is_on", 7)),
                    .bits(.uint8, BitField("network_state", 4...6), .shown("delay", 7)),
                ]),
        ]

    private static let brightness = BitField.number("brightness", 0...6, 1, "%")
    private static let white = Field.number("color_temperature", .uint16, 1, "K", kind: .measurement).bigEndian

    private static let ceiling: [Field] = [
        SwitchBot.sequence, .bits(.uint8, brightness), white, .bits(.uint8, .shown("is_on", 7)),
    ]

    private static let strip: [Field] = [
        SwitchBot.sequence, .bits(.uint8, brightness, .shown("is_on", 7)),
        .bits(.uint8, BitField("color_mode", 0...3), BitField("network_state", 4...6), .shown("delay", 7)),
    ]
}
