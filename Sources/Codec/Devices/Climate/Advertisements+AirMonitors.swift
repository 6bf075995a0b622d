import Bluetooth

extension Advertisements {
    /// Aranet's monitors of air, radiation and radon, with "smart home integrations" switched on.
    ///
    /// The layout of the Aranet4 is the one that Shelly publishes for its gateways; that of the Aranet2 follows from
    /// those of the other two, of which there are packets.
    static let airMonitors: [AdvertisementFormat] = [
        AdvertisementFormat(
            "aranet4", AdvertisementMatch(.company(0x0702), lengths: 22...22),
            header(8)
                + [
                    .carbonDioxide(), .temperature(.uint16, 0.05), .pressure(.uint16, 0.1), .humidity(.uint8),
                    .battery(),
                ] + tail),
        AdvertisementFormat(
            "aranet2", AdvertisementMatch(.company(0x0702), startingWith: "01", lengths: 24...24),
            [.reserved(1)] + header(7)
                + [
                    .reserved(2), .temperature(.uint16, 0.05), .reserved(2), .humidity(.uint16, 0.1), .reserved(1),
                    .battery(),
                ] + tail),
        AdvertisementFormat(
            "aranet_radiation", AdvertisementMatch(.company(0x0702), startingWith: "02", lengths: 24...24),
            [.reserved(1)] + header(5)
                + [
                    .number("radiation_total", .uint32, 1, "nSv", homeAssistant: .plain),
                    .number("radiation_duration", .uint32, 1, "s", homeAssistant: .duration),
                    .number("radiation_rate", .uint16, 1, "nSv/h", homeAssistant: .plain), .reserved(1), .battery(),
                ] + tail),
        AdvertisementFormat(
            "aranet_radon", AdvertisementMatch(.company(0x0702), startingWith: "03", lengths: 24...24),
            [.reserved(1)] + header(7)
                + [
                    .number("radon", .uint16, 1, "Bq/m³", homeAssistant: .plain), .temperature(.uint16, 0.05),
                    .pressure(.uint16, 0.1), .humidity(.uint16, 0.1), .reserved(1), .battery(),
                ] + tail),
    ]

    /// Flags, version and what else is before the measurements.
    private static func header(_ length: Int) -> [Field] {
        [.reserved(1), .version("version", parts: 3), .reserved(length - 4)]
    }

    private static let tail = [
        Field.names("status", .open("none green yellow red")), .number("interval", .uint16, 1, "s"),
        .number("age", .uint16, 1, "s"), .number("packet_id", .uint8),
    ]
}
