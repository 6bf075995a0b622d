extension Advertisements {
    /// The formats of Oral-B's toothbrushes.
    ///
    /// The second byte identifies the iO series, which numbers its modes differently.
    ///
    /// Source: Bluetooth-Devices/oralb-ble; theengs/decoder.
    static let oralB: [AdvertisementFormat] = [
        toothbrush(
            "oralb_io", "??3?",
            "daily_clean sensitive gum_care whiten intense super_sensitive tongue_clean - settings off - smart_adapt"),
        toothbrush(
            "oralb", "", "off daily_clean sensitive massage whitening deep_clean tongue_cleaning turbo"),
    ]

    private static func toothbrush(_ name: String, _ start: BytePattern, _ modes: String) -> AdvertisementFormat {
        AdvertisementFormat(
            name, AdvertisementMatch(.company(0x00DC), startingWith: start, lengths: 9...11),
            [
                .reserved(3), .names("state", states),
                .bits(.uint8, .hidden("mode_button", 2), .hidden("power_button", 3), .hidden("hard", 7)),
                .calculated("pressure", "if(power_button, 3, if(mode_button, 2, hard))")
                    .named(.open("normal high button_pressed power_button_pressed")),
                .number("minutes", .uint8).hidden, .number("seconds", .uint8).hidden,
                .calculated("duration", "minutes * 60 + seconds", "s", kind: .duration),
                .names("mode", .open(modes)), Field.bits(.uint8, .hidden("place", 0...2)),
                .truth("brushing", "state == 3"),
                .number("sector_timer", .uint8, 1, "s").optional, .number("number_of_sectors", .uint8).optional,
                // A brush that is not running sends the sector where it will start; the reading shows no sector.
                sector("if(state == 3, if(place == 7, 4, place), 0)").unless("number_of_sectors"),
                sector("if(state == 3, if(place == 7, number_of_sectors & 7, place), 0)").when("number_of_sectors"),
            ])
    }

    /// Returns the field of the sector that is being brushed, one of up to seven.
    ///
    /// The number 7 means the last sector: the fourth if the packet does not contain the number of sectors.
    private static func sector(_ formula: String) -> Field {
        .calculated("sector", formula)
            .named(.open("no_sector sector_1 sector_2 sector_3 sector_4 sector_5 sector_6 sector_7"))
    }

    private static let states = NamedValues([
        0: "unknown", 1: "initializing", 2: "idle", 3: "running", 4: "charging", 5: "setup", 6: "flight_menu",
        8: "selection_menu", 9: "off", 10: "post_brushing_statistics", 113: "final_test", 114: "pcb_test",
        115: "sleeping", 116: "transport",
    ])
}
