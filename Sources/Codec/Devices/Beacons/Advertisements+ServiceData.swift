import Bluetooth

extension Advertisements {
    /// Service data under the UUID of a characteristic (or of the Battery Service), in the layout of the characteristic.
    ///
    /// Source: Bluetooth SIG, GATT Specification Supplement: Temperature (2A6E), Humidity (2A6F), Battery Level (2A19).
    static let serviceData: [AdvertisementFormat] = [
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
