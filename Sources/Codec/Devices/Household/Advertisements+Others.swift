import Bluetooth

extension Advertisements {
    /// Single devices.
    static let others: [AdvertisementFormat] = [
        AdvertisementFormat(
            "kkm", AdvertisementMatch(.service(0xFEAA), startingWith: "2101", lengths: 3...20),
            [
                .reserved(2),
                .bits(
                    .uint8, .hidden("has_voltage", 0), .hidden("has_temperature", 1), .hidden("has_humidity", 2),
                    .hidden("has_acceleration", 3)),
                Field.voltage().bigEndian.when("has_voltage"),
                Field.temperature(.sint16, 0.00390625).bigEndian.when("has_temperature"),
                Field.humidity(.uint16, 0.00390625).bigEndian.when("has_humidity"),
            ]
                + ["x", "y", "z"].map {
                    Field.number("acceleration_\($0)", .sint16, 0.001, "g", homeAssistant: .plain).bigEndian
                        .when("has_acceleration")
                }),
        AdvertisementFormat(
            "mokosmart", AdvertisementMatch(.service(0xFEAB), startingWith: "70", lengths: 9...255),
            [
                .reserved(3), Field.temperature(.sint16, 0.1).bigEndian, Field.humidity(.uint16, 0.1).bigEndian,
                Field.voltage().bigEndian, .rest,
            ]),
        AdvertisementFormat(
            "miflora_2", AdvertisementMatch(.service(0xFD50), lengths: 9...9),
            [
                .number("moisture", .uint8, 1, "%", homeAssistant: .moisture),
                Field.temperature(.sint16, 0.1).bigEndian, Field.illuminance(.uint24).bigEndian, .battery(),
                Field.number("conductivity", .uint16, 1, "μS/cm", homeAssistant: .conductivity).bigEndian,
            ]),
        // The service data of a characteristic's own UUID.
        AdvertisementFormat(
            "temperature", AdvertisementMatch(.service(0x2A6E), lengths: 2...2),
            [.scalar("temperature", like: "temperature")]),
        AdvertisementFormat(
            "humidity", AdvertisementMatch(.service(0x2A6F), lengths: 2...2), [.scalar("humidity", like: "humidity")]),
        AdvertisementFormat(
            "battery", AdvertisementMatch(.service(0x2A19), lengths: 1...1),
            [.scalar("battery", like: "battery_level")]),
        AdvertisementFormat(
            "battery", AdvertisementMatch(.service(0x180F), lengths: 1...1), [.scalar("battery", like: "battery_level")]
        ),
    ]
}
