import Bluetooth

extension Advertisements {
    /// The formats of scales.
    ///
    /// Source: Bluetooth-Devices/xiaogui-ble for Leaone and Xiaogui; theengs/decoder for Skale.
    static let scales: [AdvertisementFormat] =
        // The seventh byte from the end determines the unit and whether the weight is stable.
        [
            leaone(0x20, "raw_mass / 10", isStable: false), leaone(0x21, "raw_mass / 10", isStable: true),
            leaone(0x24, "raw_mass / 100", isStable: false), leaone(0x25, "raw_mass / 100", isStable: true),
            leaone(0x30, "round(raw_mass * 0.045359237, 2)", isStable: false),
            leaone(0x31, "round(raw_mass * 0.045359237, 2)", isStable: true),
            AdvertisementFormat(
                "skale", AdvertisementMatch(.company(0x81EF), lengths: 4...4),
                [.number("weight", .sint16, 0.1, "g", kind: .weight), .reserved(2)]),
        ]

    /// Returns the format of body scales of Leaone and Xiaogui.
    ///
    /// The packet counter is in the place of the company identifier.
    private static func leaone(_ kind: UInt8, _ kilograms: String, isStable: Bool) -> AdvertisementFormat {
        let mass = Field.calculated(isStable ? "mass" : "non_stabilized_mass", kilograms, "kg", kind: .weight)
        var match = AdvertisementMatch(
            .anyCompany, startingWith: "C0?? ???? ???? ???? \([kind].hexadecimal)", lengths: 15...15)
        match.isWithoutServices = true
        var format = AdvertisementFormat(
            "leaone_scale", match,
            [
                .constant(0xC0), .number("count", .uint8).hidden, Field.number("raw_mass", .uint16).bigEndian.hidden,
                Field.number("raw_impedance", .uint16).bigEndian.hidden, .reserved(3), .mac,
                .calculated("packet_id", "count * 256 + \(kind)"), mass,
            ] + (isStable ? [.calculated("impedance", "raw_impedance / 10", "Ω", kind: .measurement)] : []))
        format.repeatsAddress = true
        return format
    }
}
