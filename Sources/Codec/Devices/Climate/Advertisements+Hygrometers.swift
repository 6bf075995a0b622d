import Bluetooth

extension Advertisements {
    /// The formats of thermometers, hygrometers and soil sensors of several makers.
    ///
    /// Source: Bluetooth-Devices/sensorpro-ble for SensorPro; ble_monitor and theengs/decoder for the others.
    static let hygrometers: [AdvertisementFormat] = [
        AdvertisementFormat(
            "sensorpro_t301", AdvertisementMatch(.company(0xAA55), startingWith: "01", lengths: 17...255),
            [
                .reserved(2), .mac, Field.voltage(.uint16, 0.01).bigEndian,
                Field.temperature(.sint16, 0.01).bigEndian,
                Field.humidity(.uint16, 0.01).bigEndian, .battery(), .rest,
            ]),
        AdvertisementFormat(
            "moat_s2", AdvertisementMatch(.service(0x1000), lengths: 16...20, names: ["Moat_S2", "moat_s2"]),
            moat),
        AdvertisementFormat("moat_s2", AdvertisementMatch(.company(0x1000), lengths: 18...18), moat),
        // Jaalee sends an iBeacon with a constant UUID, in which measurements replace the major and minor numbers.
        AdvertisementFormat(
            "jaalee",
            AdvertisementMatch(
                .company(0x004C), startingWith: "0215 EBEFD08370A247C89837E7B5634DF525", lengths: 24...24),
            [.reserved(18)] + jaaleeRaw + [.reserved(1), .battery()] + jaaleeClimate),
        jaalee(0xF525), jaalee(0xF51C),
        AdvertisementFormat(
            "miflora_2", AdvertisementMatch(.service(0xFD50), lengths: 9...9),
            [
                .number("moisture", .uint8, 1, "%", kind: .moisture),
                Field.temperature(.sint16, 0.1).bigEndian, Field.illuminance(.uint24).bigEndian, .battery(),
                Field.number("conductivity", .uint16, 1, "μS/cm", kind: .conductivity).bigEndian,
            ]),
    ]

    private static let moat: [Field] = [
        .reserved(10), .number("raw_temperature", .uint16).hidden, .number("raw_humidity", .uint16).hidden,
        .voltage(), .calculatedTemperature("round(raw_temperature * 175.72 / 65536 - 46.85, 3)"),
        .calculatedHumidity("round(raw_humidity * 125 / 65536 - 6, 3)"), .rest,
    ]

    private static func jaalee(_ service: UUID) -> AdvertisementFormat {
        AdvertisementFormat(
            "jaalee", AdvertisementMatch(.service(service), lengths: 11...11),
            [.battery(), .reversedMAC] + jaaleeRaw + jaaleeClimate)
    }

    private static let jaaleeRaw = [
        Field.number("raw_temperature", .uint16).bigEndian.hidden,
        Field.number("raw_humidity", .uint16).bigEndian.hidden,
    ]
    private static let jaaleeClimate: [Field] = [
        .calculatedTemperature("round(raw_temperature * 175 / 65535 - 45, 4)"),
        .calculatedHumidity("round(raw_humidity * 100 / 65535, 4)"),
    ]
}
