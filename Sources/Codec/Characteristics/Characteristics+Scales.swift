extension Characteristics {
    /// The characteristics for weight and body composition.
    ///
    /// Source: GATT Specification Supplement; Weight Scale Service (181D) and Body Composition Service (181B).
    static let scales: [CharacteristicDefinition] = [
        .conditions(
            "weight_scale_feature", .uint32,
            [
                .shown("time_stamp", 0), .shown("multiple_users", 1), .shown("bmi", 2),
                .names("weight_measurement_resolution", 3...6, weightResolution),
                .names("height_measurement_resolution", 7...9, heightResolution),
            ]),
        .record(
            "weight_measurement", [.flags(.uint8, .names("weight_unit", 0...0, .units("kg lb")))],
            mass("weight", flag: "weight_unit"),
            [
                timeStamp.ifBit(1), userID.ifBit(2),
                .number("bmi", .uint16, 0.1, kind: .measurement).ifBit(3),
            ],
            height(flag: "weight_unit").map { $0.ifBit(3) }, [heightUnit("weight_unit").ifBit(3)]),
        .conditions(
            "body_composition_feature", .uint32,
            [
                .shown("time_stamp", 0), .shown("multiple_users", 1), .shown("basal_metabolism", 2),
                .shown("muscle_percentage", 3), .shown("muscle_mass", 4), .shown("fat_free_mass", 5),
                .shown("soft_lean_mass", 6), .shown("body_water_mass", 7), .shown("impedance", 8),
                .shown("weight", 9), .shown("height", 10),
                .names("weight_measurement_resolution", 11...14, weightResolution),
                .names("height_measurement_resolution", 15...17, heightResolution),
            ]),
        .record(
            "body_composition_measurement",
            [
                .flags(
                    .uint16, .names("mass_unit", 0...0, .units("kg lb")), .shown("multiple_packet_measurement", 12)),
                percentage("body_fat_percentage"), timeStamp.ifBit(1), userID.ifBit(2),
                .number("basal_metabolism", .uint16, 1, "kJ", kind: .measurement).ifBit(3),
                percentage("muscle_percentage").ifBit(4),
            ],
            mass("muscle_mass", flag: "mass_unit").map { $0.ifBit(5) },
            mass("fat_free_mass", flag: "mass_unit").map { $0.ifBit(6) },
            mass("soft_lean_mass", flag: "mass_unit").map { $0.ifBit(7) },
            mass("body_water_mass", flag: "mass_unit").map { $0.ifBit(8) },
            // For the impedance, the supplement specifies both 0.01 Ω and 1/10; the service specification has 0.1 Ω.
            [.number("impedance", .uint16, 0.1, "Ω", kind: .measurement).ifBit(9)],
            mass("weight", flag: "mass_unit").map { $0.ifBit(10) },
            height(flag: "mass_unit").map { $0.ifBit(11) }, [heightUnit("mass_unit").ifBit(11)]),
    ]

    private static let userID = Field.number("user_id", .uint8, unknown: [255])

    private static func percentage(_ name: String) -> Field {
        // 0xFFFF means that the measurement failed.
        .number(name, .uint16, 0.1, "%", unknown: [0xFFFF], kind: .measurement)
    }

    private static func mass(_ name: String, flag: String) -> [Field] {
        Field.either(
            name, .uint16, 0.005, "kg", or: 0.01, "lb", flag: flag, unknown: [0xFFFF], kind: .weight)
    }

    private static func height(flag: String) -> [Field] {
        Field.either("height", .uint16, 0.001, "m", or: 0.1, "in", flag: flag, kind: .distance)
    }

    private static func heightUnit(_ flag: String) -> Field {
        .calculated("height_unit", flag).named(.units("m in"))
    }

    private static let weightResolution = NamedValues.open(
        "not_specified 0.5_kg 0.2_kg 0.1_kg 0.05_kg 0.02_kg 0.01_kg 0.005_kg")
    private static let heightResolution = NamedValues.open("not_specified 0.01_m 0.005_m 0.001_m")
}
