import Bluetooth

extension Advertisements {
    /// The formats of body scales of Eufy, Laica, Senssun and OKOK.
    ///
    /// Source: bdr99/eufylife-ble-client for Eufy; custom-components/ble_monitor for Laica and Senssun;
    /// oliexdev/openScale for OKOK.
    static let bodyScales: [AdvertisementFormat] = [
        AdvertisementFormat(
            "eufy_scale",
            AdvertisementMatch(
                .anyCompany, startingWith: "???? ???? ???? CF", lengths: 20...20, names: ["eufy T9146", "eufy T9147"]),
            [.reserved(7), impedance(.uint16), rawWeight, .reserved(4), .number("state", .uint8).hidden]
                + settled("if(state == 2, null, raw_weight / 100)", stabilized: "state == 0") + [.rest]),
        AdvertisementFormat(
            "eufy_scale_p2",
            AdvertisementMatch(
                .anyCompany, startingWith: "???? ???? ???? ???? CF", lengths: 21...21,
                names: ["eufy T9148", "eufy T9149"]),
            [
                .reserved(9), .number("pulse", .uint8, unknown: [0]).hidden,
                .bits(.uint8, .hidden("kind", 6...7)), rawWeight, .reserved(4), .number("state", .uint8).hidden,
                .calculated("heart_rate", "if(kind == 3, pulse, null)", "bpm", kind: .measurement),
            ] + settled("raw_weight / 100", stabilized: "state == 0") + [.rest]),
        // Each byte of a value is combined with A0 by exclusive or.
        AdvertisementFormat(
            "laica_scale",
            AdvertisementMatch(.company(0xA0AC), startingWith: "???? ???? ???? ???? ???? 0D", lengths: 12...12),
            [
                .reversedMAC, .reserved(1), .bits(.uint8, .hidden("high", 0...1)), .number("middle", .uint8).hidden,
                .number("low", .uint8).hidden,
                .calculated(
                    "weight",
                    """
                    round((high * 65536 + (middle + 160 - 2 * (middle & 160)) * 256 \
                    + low + 160 - 2 * (low & 160)) / 1000, 1)
                    """, "kg", kind: .weight), .rest,
            ]),
        AdvertisementFormat(
            "laica_scale_impedance",
            AdvertisementMatch(.company(0xA0AC), startingWith: "???? ???? ???? ???? ???? 06", lengths: 12...12),
            [
                .reversedMAC, .number("middle", .uint8).hidden, .number("low", .uint8).hidden,
                .calculated(
                    "impedance",
                    "(middle + 160 - 2 * (middle & 160)) * 256 + low + 160 - 2 * (low & 160)", "Ω",
                    kind: .measurement), .rest,
            ]),
        AdvertisementFormat(
            "senssun_scale",
            AdvertisementMatch(.company(0x0100), startingWith: "020311", lengths: 17...17, names: ["IF_B7"]),
            [
                .reserved(3), .mac, .reserved(1), rawWeight.bigEndian,
                Field.number("impedance", .uint16, 1, "Ω", unknown: [0], kind: .measurement).bigEndian,
                .bits(.uint8, .hidden("unit", 0...3), .hidden("first", 5), .hidden("second", 7)),
            ]
                // The same device shows other units too, and then sends other numbers.
                + settled("if(unit <= 1, raw_weight / 100, null)", stabilized: "first && second") + [.rest]),
        AdvertisementFormat(
            "okok_scale", AdvertisementMatch(.company(0x20CA), lengths: 19...19),
            [
                .reserved(6), .bits(.uint8, .hidden("final", 0), .hidden("is_fine", 2)), .reserved(1),
                rawWeight.bigEndian,
                Field.number("impedance", .uint16, 0.1, "Ω", unknown: [0], kind: .measurement).bigEndian,
            ] + settled("if(is_fine, raw_weight / 100, raw_weight / 10)", stabilized: "final") + [.reserved(1), .mac]),
    ]

    private static let rawWeight = Field.number("raw_weight", .uint16).hidden

    private static func impedance(_ type: NumberType) -> Field {
        .number("impedance", type, 0.1, "Ω", unknown: [0], kind: .measurement)
    }

    /// Returns the fields of a weight in kg, and whether the weight has settled.
    private static func settled(_ weight: String, stabilized: String) -> [Field] {
        [.calculated("weight", weight, "kg", kind: .weight), .truth("stabilized", stabilized)]
    }
}
