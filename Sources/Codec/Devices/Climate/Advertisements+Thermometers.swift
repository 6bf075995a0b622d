import Bluetooth

extension Advertisements {
    /// The formats of ATC_MiThermometer (firmware for Xiaomi's thermometers by atc1441 and by pvvx) and of b-parasite.
    ///
    /// Source: Bluetooth-Devices/atc-ble; theengs/decoder for b-parasite.
    static let thermometers: [AdvertisementFormat] = {
        var encryptedPVVX = AdvertisementFormat(
            "pvvx_encrypted", AdvertisementMatch(.service(0x181A), lengths: 11...11),
            [.number("counter", .uint8), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), trigger])
        encryptedPVVX.cipher = cipher
        var encryptedATC = AdvertisementFormat(
            "atc1441_encrypted", AdvertisementMatch(.service(0x181A), lengths: 8...8),
            [
                .number("counter", .uint8), .temperature(.uint8, 0.5, offset: -40), .humidity(.uint8, 0.5),
                .bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery), .shown("trigger", 7)),
            ])
        encryptedATC.cipher = cipher
        return [
            AdvertisementFormat(
                "atc1441", AdvertisementMatch(.service(0x181A), lengths: 13...13),
                [
                    .mac, Field.temperature(.sint16, 0.1).bigEndian, .humidity(.uint8), .battery(),
                    Field.voltage().bigEndian, .number("counter", .uint8),
                ]),
            AdvertisementFormat(
                "pvvx", AdvertisementMatch(.service(0x181A), lengths: 15...15),
                [
                    .reversedMAC, .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .voltage(), .battery(),
                    .number("counter", .uint8), trigger,
                ]),
            encryptedPVVX, encryptedATC,
        ] + parasite(protocol: 1, 0.001) + parasite(protocol: 2, 0.01)
    }()

    private static let trigger = Field.bits(
        .uint8, .shown("reed_switch", 0), .shown("output", 1), .shown("output_controlled", 2),
        .shown("temperature_trigger", 3), .shown("humidity_trigger", 4))

    private static let cipher = AdvertisementCipher(
        mode: .ccm(additionalData: [0x11]), header: .init(length: 1), trailer: 4,
        nonce: [.reversedAddress(bytes: 6), .length(plus: 3), .constant([0x16, 0x1A, 0x18]), .bytes(.init(0, 1))])

    /// Returns the formats of the soil sensor b-parasite, with and without a light sensor.
    private static func parasite(protocol version: Int, _ scale: Decimal) -> [AdvertisementFormat] {
        let fields = parasite(scale)
        return [
            AdvertisementFormat(
                "b_parasite", AdvertisementMatch(.service(0x181A), startingWith: "\(version)1", lengths: 18...18),
                fields + [Field.illuminance(.uint16).bigEndian]),
            AdvertisementFormat(
                "b_parasite", AdvertisementMatch(.service(0x181A), startingWith: "\(version)0", lengths: 16...18),
                fields + [.rest]),
        ]
    }

    private static func parasite(_ scale: Decimal) -> [Field] {
        [
            Field.reserved(1), .bits(.uint8, .number("counter", 0...3)), Field.voltage().bigEndian,
            Field.temperature(.sint16, scale).bigEndian, Field.number("raw_humidity", .uint16).bigEndian.hidden,
            Field.number("raw_moisture", .uint16).bigEndian.hidden, .mac,
            .calculatedHumidity("round(raw_humidity * 100 / 65535, 2)"),
            .calculated("moisture", "round(raw_moisture * 100 / 65535, 2)", "%", kind: .moisture),
        ]
    }
}
