extension Characteristics {
    /// Electricity and energy.
    static let electricity: [CharacteristicDefinition] = [
        .number("battery_level", .uint8, "%", in: 0...100, homeAssistant: .battery),
        .number("electric_current", .uint16, 0.01, "A", unknown: 0xFFFF, homeAssistant: .current),
        .number("voltage", .uint16, 0.015625, "V", unknown: 0xFFFF, in: 0...1022, homeAssistant: .voltage),
        .number("high_voltage", .uint24, 0.015625, "V", unknown: 0xFFFFFF, homeAssistant: .voltage),
        // 0 for direct current.
        .number("voltage_frequency", .uint16, "Hz", unknown: 0xFFFF, 0xFFFE, in: 0...65533, homeAssistant: .frequency),
        .number("power", .uint24, 0.1, "W", unknown: 0xFFFFFF, 0xFFFFFE, homeAssistant: .power),
        .number("apparent_power", .uint24, 0.1, "VA", unknown: 0xFFFFFF, 0xFFFFFE, homeAssistant: .apparentPower),
        // Of the nominal power; a zone with a boost goes beyond 100.
        .number("cooking_zone_perceived_power", .uint16, 0.1, "%", in: 0...3550, homeAssistant: .plain),
        .number("energy", .uint24, "kWh", unknown: 0xFFFFFF, homeAssistant: .energy),
        .number("energy_32", .uint32, 0.001, "kWh", unknown: 0xFFFF_FFFF, 0xFFFF_FFFE, homeAssistant: .energy),
        .number("apparent_energy_32", .uint32, 0.001, "kVAh", unknown: 0xFFFF_FFFF, 0xFFFF_FFFE, homeAssistant: .plain),
    ]
}
