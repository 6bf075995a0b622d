import Bluetooth

extension Advertisements {
    /// The messages of Apple's devices: a type, a length and data.
    ///
    /// Source: the decoders of theengs/decoder.
    static let apple: [AdvertisementFormat] =
        [
            // A watch reports in one bit whether it is unlocked; other devices report their current action.
            AdvertisementFormat(
                "apple_nearby", AdvertisementMatch(.company(0x004C), startingWith: "10", lengths: 4...255),
                [
                    .reserved(2), .bits(.uint8, .hidden("action", 0...3)),
                    .bits(.uint8, .hidden("kind", 0...6), .hidden("is_worn", 7)),
                    .truth("unlocked", "if(kind == 24, is_worn, action == 11)"), .rest,
                ]),
            AdvertisementFormat(
                "apple_airpods", AdvertisementMatch(.company(0x004C), startingWith: "0719 01", lengths: 27...27),
                airPods),
            // In this iBeacon of April Brother, measurements replace the minor number.
            AdvertisementFormat(
                "ab_temperature",
                AdvertisementMatch(
                    .company(0x004C), startingWith: "0215 B5B182C7EAB14988AA99B5C1517008D9", lengths: 23...23),
                [
                    .reserved(2), .beaconIdentifier, Field.number("major", .uint16).bigEndian, .battery(),
                    .temperature(.sint8), .txPower(),
                ]),
        ]
        + ["12", "13", "05", "06", "08", "09", "0A", "0B", "0C", "0D", "0E", "0F", "11", "14", "15", "16"].map {
            AdvertisementFormat(
                "apple_continuity", AdvertisementMatch(.company(0x004C), startingWith: $0, lengths: 3...255),
                [.word("device", "Apple device"), .rest])
        }

    /// The fields of two earphones and their case; either earphone can be first in the packet.
    private static let airPods: [Field] = [
        .reserved(3),
        Field.names(
            "model",
            NamedValues([
                0x0220: "airpods_1", 0x0F20: "airpods_2", 0x0E20: "airpods_pro_1", 0x1420: "airpods_pro_2_lightning",
                0x2420: "airpods_pro_2_usb_c", 0x0A20: "airpods_max_lightning", 0x0320: "powerbeats_3",
                0x0520: "beats_x", 0x0620: "beats_solo_3",
            ]), .uint16
        ).bigEndian,
        .bits(.uint8, .hidden("right_is_first", 5)), .bits(.uint8, .hidden("second", 0...3), .hidden("first", 4...7)),
        .bits(
            .uint8, .number("battery_case", 0...3, 10, "%", unknown: [15], kind: .battery),
            .hidden("second_charges", 4), .hidden("first_charges", 5), .shown("charging_case", 6)),
        .reserved(1),
        .names(
            "color",
            NamedValues([
                0: "white", 1: "black", 2: "red", 3: "blue", 4: "pink", 5: "gray", 6: "silver", 7: "gold",
                8: "rose_gold", 9: "space_gray", 10: "dark_blue", 11: "light_blue", 12: "yellow", 17: "green",
            ])),
        earphone("left", "if(right_is_first, second, first)"), earphone("right", "if(right_is_first, first, second)"),
        .truth("charging_left", "if(right_is_first, second_charges, first_charges)"),
        .truth("charging_right", "if(right_is_first, first_charges, second_charges)"), .rest,
    ]

    private static func earphone(_ side: String, _ tenths: String) -> Field {
        .calculated(
            "battery_\(side)", "if(\(tenths) == 15, null, 10 * \(tenths))", "%", kind: .battery)
    }
}
