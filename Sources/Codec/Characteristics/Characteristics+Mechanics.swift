extension Characteristics {
    /// The characteristics for motion, force and flow.
    ///
    /// Source: GATT Specification Supplement.
    static let mechanics: [CharacteristicDefinition] = [
        .number("acceleration", .sint32, 0.001, "m/s²", unknown: 0x7FFF_FFFF, kind: .measurement),
        .names("acceleration_detection_status", "no_change change"),
        .number("force", .sint32, 0.001, "N", unknown: 0x7FFF_FFFF, kind: .measurement),
        .number("linear_position", .sint32, 0.0000001, "m", unknown: 0x7FFF_FFFF, kind: .distance),
        .number("length", .uint32, 0.0000001, "m", unknown: 0xFFFF_FFFF, kind: .distance),
        .number("rotational_speed", .sint32, "rpm", unknown: 0x7FFF_FFFF, kind: .measurement),
        .number("torque", .sint32, 0.01, "N·m", unknown: 0x7FFF_FFFF, kind: .measurement),
        .number("mass_flow", .uint16, "g/s", unknown: 0xFFFF, kind: .measurement),
        .number("volume_flow", .uint16, 0.001, "L/s", unknown: 0xFFFF, kind: .volumeFlow),
        .number("kitchen_appliance_airflow", .uint16, 0.001, "m³/s", unknown: 0xFFFF, kind: .measurement),
    ]
}
