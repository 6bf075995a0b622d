extension Characteristics {
    /// The characteristics for electricity and energy.
    ///
    /// Source: GATT Specification Supplement.
    static let electricity: [CharacteristicDefinition] = [
        .number("battery_level", .uint8, "%", in: 0...100, kind: .battery),
        .number("electric_current", .uint16, 0.01, "A", unknown: 0xFFFF, kind: .current),
        .number("voltage", .uint16, 0.015625, "V", unknown: 0xFFFF, in: 0...1022, kind: .voltage),
        .number("high_voltage", .uint24, 0.015625, "V", unknown: 0xFFFFFF, kind: .voltage),
        // A frequency of 0 means direct current.
        .number("voltage_frequency", .uint16, "Hz", unknown: 0xFFFF, 0xFFFE, in: 0...65533, kind: .frequency),
        .number("power", .uint24, 0.1, "W", unknown: 0xFFFFFF, 0xFFFFFE, kind: .power),
        .number("apparent_power", .uint24, 0.1, "VA", unknown: 0xFFFFFF, 0xFFFFFE, kind: .apparentPower),
        // The power relative to the nominal power; a zone with a boost exceeds 100 %.
        .number("cooking_zone_perceived_power", .uint16, 0.1, "%", in: 0...3550, kind: .measurement),
        .number("energy", .uint24, "kWh", unknown: 0xFFFFFF, kind: .energy),
        .number("energy_32", .uint32, 0.001, "kWh", unknown: 0xFFFF_FFFF, 0xFFFF_FFFE, kind: .energy),
        .number("apparent_energy_32", .uint32, 0.001, "kVAh", unknown: 0xFFFF_FFFF, 0xFFFF_FFFE, kind: .measurement),
    ]
}
