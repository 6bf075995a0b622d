import Bluetooth

extension Advertisements {
    /// Devices that only say that they are there, or little more.
    static let trackers: [AdvertisementFormat] = [
        AdvertisementFormat(
            "mi_band", AdvertisementMatch(.company(0x0157), startingWith: "02", lengths: 24...24),
            [
                .reserved(3), .number("heart_rate", .uint8, 1, "bpm", unknown: [0xFF], homeAssistant: .plain),
                .reserved(14), .mac, .word("device", "Xiaomi/Amazfit Tracker"),
            ]),
        AdvertisementFormat(
            "mi_band_steps", AdvertisementMatch(.service(0xFEE0), lengths: 4...4),
            [.number("steps", .uint32, homeAssistant: .plain)]),
        AdvertisementFormat(
            "nodon_niu", AdvertisementMatch(.company(0x0000), startingWith: "02", lengths: 16...16), pushButton),
        AdvertisementFormat(
            "nodon_niu", AdvertisementMatch(.service(0x0000), startingWith: "02", lengths: 16...16), pushButton),
        AdvertisementFormat(
            "ab_temperature",
            AdvertisementMatch(
                .company(0x004C), startingWith: "0215 B5B182C7EAB14988AA99B5C1517008D9", lengths: 23...23),
            [
                .reserved(18), Field.number("major", .uint16).bigEndian, .battery(), .temperature(.sint8), .txPower(),
            ]),
        // What Apple's devices say about themselves.
        AdvertisementFormat(
            "apple_nearby", AdvertisementMatch(.company(0x004C), startingWith: "10", lengths: 4...255),
            [.reserved(2), .bits(.uint8, .shown("unlocked", 0)), .bytes("rest").hidden]),
        AdvertisementFormat(
            "apple_continuity", AdvertisementMatch(.company(0x004C), startingWith: "12", lengths: 3...255),
            [.word("device", "Apple device"), .bytes("rest").hidden]),
        AdvertisementFormat(
            "apple_continuity", AdvertisementMatch(.company(0x004C), startingWith: "13", lengths: 3...255),
            [.word("device", "Apple device"), .bytes("rest").hidden]),
        tracker("tile", .service(0xFEED), "Tile Tracker"), tracker("tile", .service(0xFEEC), "Tile Tracker"),
        tracker("itag", .anyCompany, "iTAG Tracker", name: "iTAG"),
        tracker("nutale", .anyCompany, "nutale Tracker", name: "nutale"),
        tracker("ticwatch", .anyCompany, "TicWatch GTH (Pro) Tracker", name: "TicWatch GTH"),
    ]

    private static func tracker(
        _ format: String, _ source: AdvertisementMatch.Source, _ device: String, name: String? = nil
    ) -> AdvertisementFormat {
        AdvertisementFormat(
            format, AdvertisementMatch(source, names: name.map { [$0] } ?? []),
            [.word("device", device), .bytes("rest").hidden])
    }

    /// NodOn's button: its color, its battery and how it is pressed.
    private static let pushButton: [Field] = [
        .reserved(10),
        Field.names("color", .open(from: 2, "White TechBlue CozyGrey Wazabi Lagoon Softberry"), .uint16).bigEndian,
        .bits(.uint8, .number("battery", 0...6, 1, "%", homeAssistant: .battery)), .reserved(2),
        .names(
            "button",
            .open(from: 1, "press double_press long_press long_release triple_press quadruple_press quintuple_press")),
    ]
}
