import Bluetooth

extension Advertisements {
    /// The formats of Xiaomi's scales: service data of Weight Scale and Body Composition in Xiaomi's own layout.
    ///
    /// Source: theengs/decoder; Bluetooth-Devices/xiaomi-ble.
    static let xiaomiScales: [AdvertisementFormat] = [
        AdvertisementFormat(
            "mi_scale", AdvertisementMatch(.service(0x181D), lengths: 10...10),
            [
                .bits(
                    .uint8, .hidden("pound", 0), .hidden("catty", 4), .shown("stabilized", 5), mode(6),
                    .shown("removed", 7)),
                .number("raw_mass", .uint16).hidden, timeStamp,
            ] + mass),
        AdvertisementFormat(
            "mi_body_composition_scale", AdvertisementMatch(.service(0x181B), lengths: 13...13),
            [
                .bits(
                    .uint16, .hidden("pound", 0), mode(2), .hidden("catty", 4), .hidden("has_impedance", 9),
                    .shown("stabilized", 13), .shown("removed", 15)),
                timeStamp, .number("raw_impedance", .uint16).hidden, .number("raw_mass", .uint16).hidden,
                .calculated("impedance", "raw_impedance", "Ω", kind: .measurement).when("has_impedance"),
            ] + mass),
    ]

    // The clock of the scale is often not set, so the time is not shown.
    private static let timeStamp = Field.bytes("time_stamp", length: 7).hidden

    private static let mass = [
        Field.calculated("unit", "pound + catty * 2").named(.units("kg lb jin")),
        .calculated(
            "mass_non_stabilized", "if(pound || catty, raw_mass / 100, raw_mass / 200)", kind: .measurement),
        .calculated("mass", "if(pound || catty, raw_mass / 100, raw_mass / 200)", kind: .measurement)
            .when("stabilized"),
    ]

    private static func mode(_ bit: Int) -> BitField {
        .names("weighing_mode", bit...bit, .reserved("person object"))
    }
}
