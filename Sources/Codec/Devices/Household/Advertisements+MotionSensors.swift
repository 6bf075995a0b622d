import Bluetooth

extension Advertisements {
    /// The formats of sensors of movement, magnets and vibration.
    ///
    /// Source: the decoders of theengs/decoder; ble_monitor for ELA's Blue Puck.
    static let motionSensors: [AdvertisementFormat] = [
        AdvertisementFormat(
            "smartdry", AdvertisementMatch(.company(0x01AE), lengths: 12...12),
            [
                .number("temperature", .float32, 1, "°C", kind: .temperature),
                .number("humidity", .float32, 1, "%", kind: .humidity),
                .number("shake", .uint16, kind: .measurement),
                .number("voltage", .uint8, 0.001, "V", offset: 2.847, kind: .batteryVoltage),
                .bits(.uint8, .shown("wake", 0)),
            ]),
        AdvertisementFormat(
            "mikrotik_tag", AdvertisementMatch(.company(0x094F), startingWith: "01", lengths: 18...18),
            [
                .reserved(4),
                fixedPoint("acceleration_x", "m/s²"), fixedPoint("acceleration_y", "m/s²"),
                fixedPoint("acceleration_z", "m/s²"),
                .temperature(.sint16, 0.00390625, unknown: -0x8000),
                .number("uptime", .uint32, 1, "s", kind: .duration),
                .bits(
                    .uint8, .shown("reed_switch", 0), .shown("tilt", 1), .shown("free_fall", 2),
                    .shown("impact_x", 3), .shown("impact_y", 4), .shown("impact_z", 5)),
                .battery(),
            ]
        )
        .refusing(
            .init(byte: 1, mask: 0x01),
            because:
                "the tag encrypts its packets, which this format does not decrypt: switch the encryption of the tag off"
        ),
        rdl(0x0318), rdl(0x1803),
        AdvertisementFormat(
            "mokobeacon", AdvertisementMatch(.service(0xFF01), lengths: 13...13),
            [.battery(), .reserved(4), .reserved(2)] + ["x", "y", "z"].map { Field.acceleration($0) }),
        AdvertisementFormat(
            "mokosmart_motion", AdvertisementMatch(.service(0xFEAB), startingWith: "60", lengths: 14...255),
            [.reserved(6)]
                + ["x", "y", "z"].map {
                    Field.number("acceleration_\($0)", .sint16, 0.0001, "g", kind: .measurement).bigEndian
                } + [Field.voltage().bigEndian, .rest]),
        AdvertisementFormat(
            "beewi_door", AdvertisementMatch(.company(0x000D), startingWith: "080C", lengths: 5...5),
            [.reserved(2), .bits(.uint8, .shown("open", 0)), .reserved(1), .battery()]),
        AdvertisementFormat(
            "april_brother_n03", AdvertisementMatch(.service(0x5242), startingWith: "AB03", lengths: 15...15),
            [
                .reserved(2), .mac, .battery(), .temperature(.sint16, 0.125), .humidity(.uint16, 0.5),
                .illuminance(.uint16),
            ]),
        // ELA's tags send service data under the UUID of a characteristic; the name of the tag determines the meaning.
        ela("magnet", "MAG", [.bits(.uint16, .hidden("near", 0), .number("count", 1...15)), .truth("open", "!near")]),
        ela("motion", "MOV", [.bits(.uint16, .shown("moving", 0), .number("count", 1...15))]),
        ela("input", "DI", [.bits(.uint16, .shown("on", 0), .number("count", 1...15))]),
        AdvertisementFormat(
            "ela_humidity", AdvertisementMatch(.service(0x2A6F), lengths: 1...1), [.humidity(.uint8)]),
        AdvertisementFormat(
            "ela_battery", AdvertisementMatch(.company(0x0757), startingWith: "F2", lengths: 3...3),
            [.reserved(1), .voltage()]),
        AdvertisementFormat(
            "ela_battery", AdvertisementMatch(.company(0x0757), startingWith: "F1", lengths: 2...2),
            [.reserved(1), .battery()]),
        AdvertisementFormat(
            "ela_temperature", AdvertisementMatch(.company(0x0757), startingWith: "12", lengths: 3...255),
            [.reserved(1), .temperature(.sint16, 0.01), .rest]),
        AdvertisementFormat(
            "ela_climate", AdvertisementMatch(.company(0x0757), startingWith: "21", lengths: 5...255),
            [.reserved(1), .humidity(.uint8), .reserved(1), .temperature(.sint16, 0.01), .rest]),
    ]

    private static func ela(_ name: String, _ word: String, _ fields: [Field]) -> AdvertisementFormat {
        AdvertisementFormat(
            "ela_\(name)", AdvertisementMatch(.service(0x2A06), lengths: 2...2, names: ["P \(word)", "C \(word)"]),
            fields)
    }

    private static func fixedPoint(_ name: String, _ unit: String) -> Field {
        .number(name, .sint16, 0.00390625, unit, kind: .measurement)
    }

    /// Returns the format of RadioLand's sensor: four bytes per axis for the sign, whole g, tenths and hundredths of g.
    private static func rdl(_ service: UUID) -> AdvertisementFormat {
        let axes = ["x", "y", "z"].flatMap { axis -> [Field] in
            ["sign", "whole", "tenths", "hundredths"].map { .number("\($0)_\(axis)", .uint8).hidden } + [
                .calculated(
                    "acceleration_\(axis)",
                    """
                    if(sign_\(axis), -1, 1) * (whole_\(axis) + tenths_\(axis) / 10 + hundredths_\(axis) / 100) * 9.80665
                    """, "m/s²", kind: .measurement)
            ]
        }
        return AdvertisementFormat(
            "rdl52832", AdvertisementMatch(.service(service), lengths: 16...16),
            [
                Field.temperature(.sint16, 0.00390625).bigEndian, Field.humidity(.uint16, 0.00390625).bigEndian,
            ] + axes)
    }
}
