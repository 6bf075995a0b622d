extension Characteristics {
    /// The characteristics for concentrations of gases and particles in the air.
    ///
    /// Source: GATT Specification Supplement; used by the Environmental Sensing Service (181A).
    static let air: [CharacteristicDefinition] = [
        .number("co2_concentration", .uint16, "ppm", unknown: 0xFFFF, 0xFFFE, kind: .carbonDioxide),
        .number("voc_concentration", .uint16, "ppb", unknown: 0xFFFF, 0xFFFE, kind: .volatileCompoundParts),
        .number("ammonia_concentration", .medfloat16, "kg/m³", kind: .measurement),
        .number("carbon_monoxide_concentration", .medfloat16, "kg/m³", kind: .carbonMonoxide),
        .number("methane_concentration", .medfloat16, "ppb", kind: .measurement),
        .number("nitrogen_dioxide_concentration", .medfloat16, "kg/m³", kind: .nitrogenDioxide),
        .number(
            "non_methane_volatile_organic_compounds_concentration", .medfloat16, "kg/m³",
            kind: .volatileCompounds),
        .number("ozone_concentration", .medfloat16, "kg/m³", kind: .ozone),
        .number("particulate_matter_pm1_concentration", .medfloat16, "kg/m³", kind: .pm1),
        .number("particulate_matter_pm2_5_concentration", .medfloat16, "kg/m³", kind: .pm25),
        .number("particulate_matter_pm10_concentration", .medfloat16, "kg/m³", kind: .pm10),
        .number("sulfur_dioxide_concentration", .medfloat16, "kg/m³", kind: .sulphurDioxide),
        .number("sulfur_hexafluoride_concentration", .medfloat16, "kg/m³", kind: .measurement),
    ]
}
