extension Advertisements {
    /// The formats of BroodMinder's thermometers and scales for beehives, one for each model.
    ///
    /// Source: doc.mybroodminder.com, "BLE Advertising Information".
    static let broodMinder: [AdvertisementFormat] = [
        hive(41, early), hive(42, early), hive(43, early, scales: ["left", "right"]), hive(47, late), hive(56, late),
        fourScales(49), fourScales(57), fourScales(58),
    ]

    private static func fourScales(_ model: UInt8) -> AdvertisementFormat {
        hive(model, late, scales: ["right", "left"], others: ["right_2", "left_2"])
    }

    private static func hive(
        _ model: UInt8, _ temperature: [Field], scales: [String] = [], others: [String] = []
    ) -> AdvertisementFormat {
        let match = AdvertisementMatch(.company(0x028D), startingWith: BytePattern(model), lengths: 21...21)
        let total: Field = others.isEmpty ? .reserved(2) : weight("weight")
        return AdvertisementFormat(
            "broodminder", match, head, temperature, weights(scales), [.humidity(.uint8, unknown: 0)],
            weights(others), [total])
    }

    private static let head: [Field] = [
        .number("model", .uint8), .version("firmware_version", parts: 2), .number("now_low", .uint8).hidden,
        .battery(), .number("elapsed", .uint16),
    ]

    /// Returns the fields of two scales; four reserved bytes if there are no scales.
    private static func weights(_ scales: [String]) -> [Field] {
        scales.isEmpty ? [.reserved(4)] : scales.map { weight("weight_\($0)") }
    }

    private static func weight(_ name: String) -> Field {
        .number(name, .uint16, 0.01, "kg", offset: -327.67, kind: .weight)
    }

    private static let early = [
        Field.number("raw_temperature", .uint16).hidden, .reserved(1),
        .calculatedTemperature("round(raw_temperature * 165 / 65536 - 40, 2)"),
    ]

    /// The temperature fields of later models: that of the last sample, and the current temperature.
    private static let late = [
        Field.temperature(.uint16, 0.01, offset: -50), .number("now_high", .uint8).hidden,
        .calculatedTemperature(
            "if(now_high || now_low, (now_high * 256 + now_low - 5000) / 100, null)", name: "realtime_temperature"),
    ]
}
