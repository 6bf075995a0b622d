import Bluetooth

extension Advertisements {
    /// The formats of Blue Maestro's Tempo Discs and Pebble; the first byte identifies the model.
    ///
    /// Source: Bluetooth-Devices/bluemaestro-ble; ble_monitor for the Pebble.
    static let blueMaestro: [AdvertisementFormat] =
        [
            disc("temperature", "08", []), disc("temperature", "0D", []),
            disc("temperature_humidity", "16", [humidity, dewPoint]),
            disc("temperature_humidity", "17", [humidity, dewPoint]),
            disc("pressure", "1B", [humidity, Field.pressure(.uint16, 0.1).bigEndian]),
            largeDisc("temperature", "29", []),
            largeDisc("temperature_humidity", "2A", [.humidity(.uint16, 0.01)]),
            largeDisc("pressure", "2B", [.humidity(.uint16, 0.01), .pressure(.sint32, 0.01)]),
            AdvertisementFormat(
                "bluemaestro_pebble", AdvertisementMatch(.company(0x0133), startingWith: "01", lengths: 18...18),
                [
                    .reserved(3), .temperature(.sint16, 0.1), .reserved(2), .humidity(.uint8), .pressure(.uint16, 1),
                    .rest,
                ]),
        ]

    private static let humidity = Field.humidity(.uint16, 0.1).bigEndian
    private static let dewPoint = Field.temperature(.sint16, 0.1, name: "dew_point").bigEndian

    private static func disc(_ name: String, _ kind: BytePattern, _ fields: [Field]) -> AdvertisementFormat {
        AdvertisementFormat(
            "bluemaestro_\(name)", AdvertisementMatch(.company(0x0133), startingWith: kind, lengths: 8...255),
            [.reserved(1), .battery(), .reserved(4), Field.temperature(.sint16, 0.1).bigEndian] + fields
                + [.rest])
    }

    private static func largeDisc(_ name: String, _ kind: BytePattern, _ fields: [Field]) -> AdvertisementFormat {
        AdvertisementFormat(
            "bluemaestro_maxi_\(name)", AdvertisementMatch(.company(0x0133), startingWith: kind, lengths: 17...255),
            [.reserved(1), .battery(), .reserved(13), .temperature(.sint16, 0.01)] + fields
                + [.rest])
    }
}
