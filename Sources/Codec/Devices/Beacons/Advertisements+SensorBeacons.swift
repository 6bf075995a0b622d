import Bluetooth

extension Advertisements {
    /// The formats of beacons with sensors: KKM K6, K6P and K9, MokoSmart.
    ///
    /// Source: the decoders of theengs/decoder.
    static let sensorBeacons: [AdvertisementFormat] = [
        AdvertisementFormat(
            "kkm", AdvertisementMatch(.service(0xFEAA), startingWith: "2101", lengths: 3...20),
            [
                .reserved(2),
                .bits(
                    .uint8, .hidden("has_voltage", 0), .hidden("has_temperature", 1), .hidden("has_humidity", 2)),
                Field.voltage().bigEndian.when("has_voltage"),
                Field.temperature(.sint16, 0.00390625).bigEndian.when("has_temperature"),
                Field.humidity(.uint16, 0.00390625).bigEndian.when("has_humidity"),
            ]
                // The K6 sends the accelerations without their flag.
                + ["x", "y", "z"].map {
                    Field.number("acceleration_\($0)", .sint16, 0.001, "g", kind: .measurement).bigEndian.optional
                }),
        AdvertisementFormat(
            "mokosmart", AdvertisementMatch(.service(0xFEAB), startingWith: "70", lengths: 9...255),
            [
                .reserved(3), Field.temperature(.sint16, 0.1).bigEndian, Field.humidity(.uint16, 0.1).bigEndian,
                Field.voltage().bigEndian, .rest,
            ]),
        AdvertisementFormat(
            "mokosmart_device", AdvertisementMatch(.service(0xFEAB), startingWith: "40", lengths: 5...255),
            [.reserved(3), Field.voltage().bigEndian, .rest]),
    ]
}
