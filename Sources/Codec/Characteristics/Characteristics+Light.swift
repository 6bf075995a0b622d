extension Characteristics {
    /// The characteristics for the intensity and the colour of light.
    ///
    /// Source: GATT Specification Supplement.
    static let light: [CharacteristicDefinition] = [
        .number("illuminance", .uint24, 0.01, "lx", unknown: 0xFFFFFF, kind: .illuminance),
        .number("illuminance_16", .uint16, "lx", unknown: 0xFFFF, kind: .illuminance),
        .number("luminous_efficacy", .uint16, 0.1, "lm/W", unknown: 0xFFFF, in: 0...1800, kind: .measurement),
        .number("luminous_energy", .uint24, 1000, "lm·h", unknown: 0xFFFFFF, kind: .measurement),
        .number("luminous_exposure", .uint24, 1000, "lx·h", unknown: 0xFFFFFF, kind: .measurement),
        .number("luminous_flux", .uint16, "lm", unknown: 0xFFFF, kind: .measurement),
        .number("luminous_intensity", .uint16, "cd", unknown: 0xFFFF, kind: .measurement),
        .number("light_output", .uint24, "lm", unknown: 0xFFFFFF, 0xFFFFFE, kind: .measurement),
        .number("perceived_lightness", .uint16, kind: .measurement),
        .number("chromatic_distance_from_planckian", .sint16, 0.00001, unknown: 0x7FFE, 0x7FFF, in: -0.05...0.05),
        .number("chromaticity_tolerance", .uint8, 0.0001),
        .number("cie_13_3_1995_color_rendering_index", .sint8, unknown: 127, in: -128...100),
        .number("correlated_color_temperature", .uint16, "K", unknown: 0xFFFF, in: 800...65534, kind: .measurement),
        .number("chromaticity_coordinate", .uint16, 0.0000152587890625),
        .names("light_distribution", "not_specified type_1 type_2 type_3 type_4 type_5"),
        .names(
            "light_source_type",
            [
                0: "not_specified", 1: "low_pressure_fluorescent", 2: "high_intensity_discharge",
                3: "low_voltage_halogen", 4: "incandescent", 5: "led", 6: "oled", 0xFD: "other",
                0xFE: "no_light_source", 0xFF: "several_types",
            ]),
    ]
}
