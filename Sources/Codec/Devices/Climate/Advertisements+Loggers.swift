import Bluetooth

extension Advertisements {
    /// The formats of thermometers and hygrometers of MOCREO, Relsib, T&D, VCHON, Jinou and Blustream.
    ///
    /// Source: custom-components/ble_monitor for MOCREO, Relsib, Jinou and Blustream; obniz/obniz for T&D;
    /// theengs/decoder for VCHON.
    static let loggers: [AdvertisementFormat] =
        [
            mocreo("st5", 0x81, [centidegrees]), mocreo("st6", 0x83, [centidegrees, percent]),
            mocreo("st8", 0x84, [centidegrees]), mocreo("st9", 0x86, [centidegrees, percent]),
            mocreo("st10", 0x87, [centidegrees]), mocreo("ms1", 0x8B, [centidegrees]),
            mocreo("ms2", 0x8D, [centidegrees, percent]), mocreo("ms2", 0x94, [centidegrees]),
            mocreo("ms3", 0x96, [centidegrees]),
            mocreo("sw2", 0x82, [.reserved(4), .bits(.uint8, .shown("leak", 0))]),
            AdvertisementFormat(
                "relsib_eclerk", AdvertisementMatch(.service(0xAA20), lengths: 22...22),
                [.reserved(4)] + eClerk + [
                    .reserved(3), .bits(.uint8, .hidden("charge", 0...6), .hidden("plugged_in", 7)),
                    .calculated("battery", "if(plugged_in, 100, charge)", "%", kind: .battery), .rest,
                ]),
            AdvertisementFormat(
                "relsib_eclerk", AdvertisementMatch(.service(0xAA21), lengths: 22...22), eClerk + [.rest]),
            AdvertisementFormat(
                "relsib_eclerk", AdvertisementMatch(.service(0xAA22), lengths: 22...22), eClerk + [.rest]),
            relsib("2B", sign: ""), relsib("2D", sign: "-"),
            tandd("tr4", "???? ??5F 00"), tandd("rtr505b", "???? C300 00?? 31"),
            AdvertisementFormat(
                "jinou_bec07", jinou,
                [
                    .number("below_zero", .uint8, in: 0...1).hidden, .number("degrees", .uint8).hidden,
                    .number("tenths", .uint8, in: 0...9).hidden, .reserved(1), .number("percent", .uint8).hidden,
                    .number("permille", .uint8, in: 0...9).hidden, .reserved(1), .mac,
                    .calculatedTemperature("if(below_zero, -1, 1) * (degrees + tenths / 10)"),
                    .calculatedHumidity("percent + permille / 10"),
                ]),
            AdvertisementFormat(
                "blustream", AdvertisementMatch(.company(0x0194), startingWith: "01", lengths: 9...9),
                [
                    .reserved(4), .number("acceleration", .uint8, kind: .measurement),
                    Field.humidity(.uint16, 0.01).bigEndian, Field.temperature(.sint16, 0.01).bigEndian,
                ]),
        ]
        + AdvertisementFormat(
            "vchon_vch6003", AdvertisementMatch(.company(0x0901), lengths: 9...9, names: ["XL0801"]),
            [Field.temperature(.sint16, 0.1).bigEndian, .humidity(.uint8), .mac]
        ).recognizedByAddress

    // MARK: MOCREO

    private static let centidegrees = Field.temperature(.sint16, 0.01)
    private static let percent = Field.humidity(.uint16, 0.01)

    /// Returns the format of a model, whose number is in the second byte of the company identifier.
    private static func mocreo(_ name: String, _ model: UInt8, _ values: [Field]) -> AdvertisementFormat {
        AdvertisementFormat(
            "mocreo_\(name)",
            AdvertisementMatch(
                .anyCompany, startingWith: "?? \([model].hexadecimal)", lengths: 18...18, names: ["MOCREO"]),
            [.reserved(4), .bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery)), .reserved(1)] + values
                + [.rest])
    }

    // MARK: Relsib

    private static let eClerk: [Field] = [
        .temperature(.sint16, 0.01, unknown: -0x8000), .humidity(.uint16, 0.01, unknown: 0x8000),
        .carbonDioxide(unknown: 0x8000),
    ]

    /// Returns the format of a thermometer that sends a text such as `+023.4`.
    private static func relsib(_ first: String, sign: String) -> AdvertisementFormat {
        AdvertisementFormat(
            "relsib_wt51",
            AdvertisementMatch(.service(0x1809), startingWith: "\(first) 3? 3? 3? 2E 3?", lengths: 6...6),
            [
                .reserved(1), digit("hundreds"), digit("tens"), digit("ones"), .reserved(1), digit("tenths"),
                .calculatedTemperature("\(sign)(hundreds * 100 + tens * 10 + ones + tenths / 10)"),
            ])
    }

    private static func digit(_ name: String) -> Field {
        .number(name, .uint8, offset: -48, in: 0...9).hidden
    }

    // MARK: T&D

    /// Returns the format of a logger of T&D; a value that is missing is 0, and one of a broken sensor EEEE.
    private static func tandd(_ name: String, _ start: BytePattern) -> AdvertisementFormat {
        AdvertisementFormat(
            "tandd_\(name)", AdvertisementMatch(.company(0x0392), startingWith: start, lengths: 18...18),
            [
                .reserved(8), .number("first", .uint16).hidden, .number("second", .uint16).hidden,
                .calculatedTemperature("if(first == 0xEEEE, null, (first - 1000) / 10)"),
                .calculatedHumidity("if(second == 0 || second == 0xEEEE, null, (second - 1000) / 10)"), .rest,
            ])
    }

    // MARK: Jinou

    private static let jinou = AdvertisementMatch(
        .anyCompany, startingWith: "0? ?? 0? 00 ?? 0?", lengths: 13...13, services: [0xAA20])
}
