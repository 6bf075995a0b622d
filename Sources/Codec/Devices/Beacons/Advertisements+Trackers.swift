import Bluetooth

extension Advertisements {
    /// The formats of trackers and other devices that send few or no measurements.
    ///
    /// Source: the decoders of theengs/decoder; ble_monitor for Amazfit's scale.
    static let trackers: [AdvertisementFormat] = [
        AdvertisementFormat(
            "mi_band", AdvertisementMatch(.company(0x0157), startingWith: "02", lengths: 24...24),
            [
                .reserved(3), .number("heart_rate", .uint8, 1, "bpm", unknown: [0xFF], kind: .measurement),
                .reserved(14), .mac, .word("device", "Xiaomi/Amazfit Tracker"),
            ]),
        AdvertisementFormat(
            "mi_band_steps", AdvertisementMatch(.service(0xFEE0), lengths: 4...4),
            [.number("steps", .uint32, kind: .measurement)]),
        AdvertisementFormat(
            "amazfit_scale", AdvertisementMatch(.service(0xFEE0), lengths: 20...20),
            [
                .reserved(5), .number("raw_impedance", .uint16).hidden,
                .number("mass_non_stabilized", .uint16, 0.005, "kg", kind: .weight),
                .number("raw_state", .uint24).hidden, .number("raw_heart_rate", .uint8).hidden,
                .truth("stabilized", "raw_state"),
                .calculated("mass", "mass_non_stabilized", "kg", kind: .weight).when("raw_state"),
                .calculated("impedance", "raw_impedance / 10", "Ω", kind: .measurement).when("raw_state"),
                .calculated("heart_rate", "raw_heart_rate", "bpm", kind: .measurement).when("raw_state"), .rest,
            ]),
        AdvertisementFormat(
            "xoss_x2", AdvertisementMatch(.company(0xFF04), lengths: 4...4),
            [
                .reserved(1), .bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery)), .reserved(1),
                .number("heart_rate", .uint8, 1, "bpm", kind: .measurement),
            ]),
        AdvertisementFormat(
            "polar", AdvertisementMatch(.company(0x006B), lengths: 4...4),
            [.reserved(3), .number("heart_rate", .uint8, 1, "bpm", kind: .measurement)]),
        AdvertisementFormat(
            "nodon_niu", AdvertisementMatch(.company(0x0000), startingWith: "02", lengths: 16...16), pushButton),
        AdvertisementFormat(
            "nodon_niu", AdvertisementMatch(.service(0x0000), startingWith: "02", lengths: 16...16), pushButton),
        AdvertisementFormat(
            "exposure_notification", AdvertisementMatch(.service(0xFD6F), lengths: 20...20),
            [.bytes("rpi", length: 16), .bytes("aem", length: 4)]),
        AdvertisementFormat(
            "microsoft_device", AdvertisementMatch(.company(0x0006), startingWith: "01"),
            [.word("device", "Microsoft advertising beacon"), .bytes("rest").hidden]),
        tracker("tile", "Tile Tracker", names: ["Tile"]),
        tracker("tile", "Tile Tracker", services: [0xFEED, 0xFEEC, 0xFD84]),
        tracker("itag", "iTAG Tracker", names: ["iTAG"]),
        tracker("nutale", "nutale Tracker", names: ["nutale"]),
        tracker("nut", "nut Tracker", names: ["nut"]),
        tracker("tag_it", "Tag-It Tracker", names: ["Tag-It"]),
        tracker("g_tag", "Gigaset G-Tag Tracker", names: ["Gigaset G-tag", "Gigaset G-Tag"]),
        AdvertisementFormat(
            "g_tag", AdvertisementMatch(.company(0x0180)), [.word("device", "Gigaset G-Tag Tracker"), .rest]),
        tracker("ticwatch", "TicWatch GTH (Pro) Tracker", names: ["TicWatch GTH"]),
    ]

    private static func tracker(
        _ format: String, _ device: String, names: [String] = [], services: [UUID] = []
    ) -> AdvertisementFormat {
        AdvertisementFormat(
            format, AdvertisementMatch(.presence, names: names, services: services), [.word("device", device)])
    }

    /// The fields of NodOn's button: the color, the battery and the kind of press.
    private static let pushButton: [Field] = [
        .reserved(10),
        Field.names("color", .open(from: 2, "White TechBlue CozyGrey Wazabi Lagoon Softberry"), .uint16).bigEndian,
        .bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery)), .reserved(2),
        .names(
            "button",
            .open(from: 1, "press double_press long_press long_release triple_press quadruple_press quintuple_press")),
    ]
}
