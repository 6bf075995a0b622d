import Bluetooth

extension Advertisements {
    /// Inkbird's thermometers. The oldest have no company: their first measurement stands in its place.
    static let inkbird: [AdvertisementFormat] =
        [
            AdvertisementFormat(
                "inkbird_ibs_th", AdvertisementMatch(.anyCompany, lengths: 9...9, names: ["sps"]),
                [.temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .reserved(3), .battery(), .reserved(1)]),
            AdvertisementFormat(
                "inkbird_ibs_th", AdvertisementMatch(.anyCompany, lengths: 9...9, names: ["tps"]),
                [.temperature(.sint16, 0.01), .reserved(5), .battery(), .reserved(1)]),
            AdvertisementFormat(
                "inkbird_18", AdvertisementMatch(.company(0x2449), lengths: 16...16),
                [
                    .reserved(4), .temperature(.sint16, 0.1), .humidity(.uint16, 0.1, unknown: 0, 0xFFFF),
                    .number("battery", .uint8, 1, "%", in: 0...100, homeAssistant: .battery), .reserved(7),
                ]),
            AdvertisementFormat(
                "inkbird_iam_t2", AdvertisementMatch(.company(0x3254), lengths: 15...15),
                [
                    .reserved(8), Field.temperature(.sint16, 0.1).bigEndian,
                    Field.humidity(.uint16, 0.1, unknown: 0xFFFF).bigEndian, Field.carbonDioxide().bigEndian,
                    .reserved(1),
                ]),
        ] + [1, 2, 4, 6].map(barbecue)

    /// Thermometers with probes: two bytes and the address before the temperatures.
    private static func barbecue(probes: Int) -> AdvertisementFormat {
        let length = 10 + 2 * probes
        return AdvertisementFormat(
            "inkbird_ibbq", AdvertisementMatch(.anyCompany, startingWith: "0? 00 00 00", lengths: length...length),
            // Without a probe: -1.0, or all ones.
            [.reserved(10)]
                + (1...probes).map {
                    .temperature(.sint16, 0.1, unknown: -1, -10, name: "temperature_probe_\($0)")
                })
    }
}
