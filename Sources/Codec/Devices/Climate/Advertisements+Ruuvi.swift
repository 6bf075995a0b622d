import Bluetooth

extension Advertisements {
    /// The formats of Ruuvi's sensors: the data formats 2, 3, 4, 5, C5, 6 and E1.
    ///
    /// Numbers are big-endian. The formats 2 and 4 of early firmware are the fragment of a URL, in Base64.
    ///
    /// Source: docs.ruuvi.com (ruuvi/docs 150ebb4, 2025-11).
    static let ruuvi: [AdvertisementFormat] = [
        url("2", "41", 19...19), url("4", "42", 19...20),
        // Some firmware appends zeros.
        AdvertisementFormat(
            "ruuvi_3", AdvertisementMatch(.company(0x0499), startingWith: "03", lengths: 14...255),
            [
                format(3), .humidity(.uint8, 0.5),
                Field.bits(.uint16, .hidden("below_zero", 15), .hidden("degrees", 8...14), .hidden("hundredths", 0...7))
                    .bigEndian,
                .calculatedTemperature("if(below_zero, -1, 1) * (degrees + hundredths / 100)"),
                .pressure(.uint16, 0.01, offset: 500).bigEndian,
            ] + acceleration() + [.voltage().bigEndian, totalAcceleration, .rest]),
        ruuvi(
            "5", "05", 24,
            [format(5)] + climate + acceleration(unknown: -0x8000)
                + [power, movements, sequence, mac, totalAcceleration]),
        ruuvi("c5", "C5", 18, [format(0xC5)] + climate + [power, movements, sequence, mac]),
        // In the documentation, the examples of C5 begin with 05 instead of C5.
        ruuvi("c5_early", "05", 18, [format(5)] + climate + [power, movements, sequence, mac]),
        ruuvi(
            "6", "06", 20,
            [format(6)] + climate + [
                particles("pm25", .pm25), carbonDioxide, .number("voc_high", .uint8).hidden,
                .number("nox_high", .uint8).hidden, .number("brightness", .uint8, unknown: [255]).hidden, .reserved(1),
                .number("sequence", .uint8), flags, vocIndex, noxIndex, airQuality,
                // The brightness is a logarithmic scale from 0 to 65535 lx in 254 steps.
                .calculated(
                    "illuminance", "round(pow(65536, brightness / 254) - 1, 2)", "lx", kind: .illuminance),
                .bytes("mac_end", length: 3),
            ]),
        ruuvi(
            "e1", "E1", 40,
            [format(0xE1)] + climate + [
                particles("pm1", .pm1), particles("pm25", .pm25), particles("pm4", .pm4), particles("pm10", .pm10),
                carbonDioxide, .number("voc_high", .uint8).hidden, .number("nox_high", .uint8).hidden,
                .illuminance(.uint24, 0.01, unknown: 0xFFFFFF).bigEndian, .reserved(3),
                .number("sequence", .uint24, unknown: [0xFFFFFF]).bigEndian, flags, vocIndex, noxIndex, airQuality,
                .reserved(5),
                mac,
            ]),
    ]

    private static func ruuvi(
        _ name: String, _ start: BytePattern, _ length: Int, _ fields: [Field]
    ) -> AdvertisementFormat {
        AdvertisementFormat(
            "ruuvi_\(name)", AdvertisementMatch(.company(0x0499), startingWith: start, lengths: length...length), fields
        )
    }

    /// Returns a format of the Eddystone URL `https://ruu.vi/#` with eight characters of Base64, and possibly one more.
    private static func url(_ name: String, _ first: BytePattern, _ lengths: ClosedRange<Int>) -> AdvertisementFormat {
        let start: BytePattern = "10 ?? 03 7275752E76692F23"
        let sextets = (0..<8).flatMap { index -> [Field] in
            let char = "char_\(index)"
            return [
                .number(char, .uint8).hidden,
                .calculated(
                    "sextet_\(index)",
                    """
                    if(\(char) >= 97, \(char) - 71, if(\(char) >= 65, \(char) - 65, \
                    if(\(char) >= 48, \(char) + 4, if(\(char) == 43 || \(char) == 45, 62, 63))))
                    """
                ).hidden,
            ]
        }
        return AdvertisementFormat(
            "ruuvi_\(name)",
            AdvertisementMatch(.service(0xFEAA), startingWith: start.followed(by: first), lengths: lengths),
            [.reserved(11)] + sextets + [
                .calculated("format", "sextet_0 * 4 + floor(sextet_1 / 16)"),
                .calculated("humidity", "(sextet_1 % 16 * 16 + floor(sextet_2 / 4)) / 2", "%", kind: .humidity),
                .calculated("degrees", "sextet_2 % 4 * 64 + sextet_3").hidden,
                .calculated("hundredths", "sextet_4 * 4 + floor(sextet_5 / 16)").hidden,
                .calculatedTemperature("if(degrees >= 128, -1, 1) * (degrees % 128 + hundredths / 100)"),
                .calculated(
                    "pressure",
                    "500 + ((sextet_5 % 16 * 16 + floor(sextet_6 / 4)) * 256 + sextet_6 % 4 * 64 + sextet_7) / 100",
                    "hPa", kind: .airPressure), .rest,
            ])
    }

    private static func format(_ number: Decimal) -> Field {
        .number("format", .uint8, in: number...number)
    }

    private static let climate = [
        Field.temperature(.sint16, 0.005, unknown: -0x8000).bigEndian,
        .humidity(.uint16, 0.0025, unknown: 0xFFFF).bigEndian,
        .pressure(.uint16, 0.01, offset: 500, unknown: 0xFFFF).bigEndian,
    ]

    private static func acceleration(unknown: Int128...) -> [Field] {
        ["x", "y", "z"].map {
            .number("acceleration_\($0)", .sint16, 0.001, "g", unknown: unknown, kind: .measurement).bigEndian
        }
    }

    /// The length of the acceleration vector in g; 1 g at rest.
    private static let totalAcceleration = Field.calculated(
        "acceleration_total",
        "round(pow(pow(acceleration_x, 2) + pow(acceleration_y, 2) + pow(acceleration_z, 2), 0.5), 3)", "g",
        kind: .measurement)

    private static let power = Field.bits(
        .uint16, .number("voltage", 5...15, 0.001, "V", offset: 1.6, unknown: [2047], kind: .batteryVoltage),
        .number("tx_power", 0...4, 2, "dBm", offset: -40, unknown: [31], kind: .signalStrength)
    ).bigEndian

    private static let movements = Field.number("movement_counter", .uint8, unknown: [255], kind: .measurement)
    private static let sequence = Field.number("sequence", .uint16, unknown: [0xFFFF]).bigEndian

    private static let mac = Field("mac", .address(.big, unknown: [0xFFFF_FFFF_FFFF]))

    private static func particles(_ name: String, _ kind: Quantity.Kind) -> Field {
        .particles(name, .uint16, 0.1, unknown: 0xFFFF, kind: kind).bigEndian
    }

    private static let carbonDioxide = Field.carbonDioxide(unknown: 0xFFFF).bigEndian

    /// The flags, which contain the lowest bits of the VOC index and of the NOx index, which have nine bits.
    private static let flags = Field.bits(
        .uint8, .shown("calibrating", 0), .hidden("voc_low", 6), .hidden("nox_low", 7))
    private static let vocIndex = Field.calculated(
        "voc_index", "voc_high * 2 + voc_low", unknown: 511, kind: .measurement)
    /// Ruuvi's air quality score from 0 to 100 (clean air), calculated from PM2.5 and carbon dioxide.
    private static let airQuality = Field.calculated(
        "iaqs",
        """
        round(max(0, 100 - pow(pow(min(max(pm25, 0), 60) / 0.6, 2) \
        + pow(min(max(carbon_dioxide - 420, 0), 1880) / 18.8, 2), 0.5)), 0)
        """, kind: .measurement)
    private static let noxIndex = Field.calculated(
        "nox_index", "nox_high * 2 + nox_low", unknown: 511, kind: .measurement)
}
