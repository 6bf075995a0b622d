extension Characteristics {
    /// The characteristics for cycling power.
    ///
    /// Source: GATT Specification Supplement; Cycling Power Service (1818).
    static let cyclingPower: [CharacteristicDefinition] = [
        .conditions(
            "cycling_power_feature", .uint32,
            """
            pedal_power_balance accumulated_torque wheel_revolution_data crank_revolution_data extreme_magnitudes
            extreme_angles top_and_bottom_dead_spot_angles accumulated_energy offset_compensation_indicator
            offset_compensation content_masking multiple_sensor_locations crank_length_adjustment
            chain_length_adjustment chain_weight_adjustment span_length_adjustment measures_torque
            instantaneous_measurement_direction factory_calibration_date enhanced_offset_compensation
            not_for_distributed_system for_distributed_system
            """),
        .record(
            "cycling_power_measurement",
            .flags(
                .uint16, .names("pedal_power_balance_reference", 1...1, .reserved("unknown left")).when("flag_0"),
                .names("accumulated_torque_source", 3...3, .reserved("wheel_based crank_based")).when("flag_2"),
                .shown("offset_compensation_indicator", 12)),
            .number("instantaneous_power", .sint16, 1, "W", kind: .power),
            .number("pedal_power_balance", .uint8, 0.5, "%", kind: .measurement).ifBit(0),
            .number("accumulated_torque", .uint16, 0.03125, "N·m", kind: .measurement).ifBit(2),
            wheelRevolutions.ifBit(4),
            .number("last_wheel_event_time", .uint16, 0.00048828125, "s").ifBit(4), crankRevolutions.ifBit(5),
            crankTime.ifBit(5), .number("maximum_force_magnitude", .sint16, 1, "N").ifBit(6),
            .number("minimum_force_magnitude", .sint16, 1, "N").ifBit(6),
            .number("maximum_torque_magnitude", .sint16, 0.03125, "N·m").ifBit(7),
            .number("minimum_torque_magnitude", .sint16, 0.03125, "N·m").ifBit(7),
            .bits(.uint24, .number("maximum_angle", 0...11, 1, "°"), .number("minimum_angle", 12...23, 1, "°")).ifBit(
                8),
            .number("top_dead_spot_angle", .uint16, 1, "°").ifBit(9),
            .number("bottom_dead_spot_angle", .uint16, 1, "°").ifBit(10),
            .number("accumulated_energy", .uint16, 1000, "J", kind: .energy).ifBit(11)),
        // The vector ends with a list of forces, a list of torques, or no list. A list extends to the last byte.
        .record(
            "cycling_power_vector",
            [
                Format(vector(lists: 0)), Format(vector(lists: 1) + [magnitudes("force", 1, "N")]),
                Format(vector(lists: 2) + [magnitudes("torque", 0.03125, "N·m")]),
            ]),
    ]

    /// Returns the first fields of a vector with no list (0), a list of forces (1) or a list of torques (2).
    private static func vector(lists: Decimal) -> [Field] {
        [
            .flags(
                .uint8, .constant("lists", 2...3, lists),
                .names(
                    "instantaneous_measurement_direction", 4...5,
                    .reserved("unknown tangential_component radial_component lateral_component"))),
            crankRevolutions.ifBit(0), crankTime.ifBit(0),
            .number("first_crank_measurement_angle", .uint16, 1, "°").ifBit(1),
        ]
    }

    private static func magnitudes(_ name: String, _ scale: Decimal, _ unit: String) -> Field {
        .number("instantaneous_\(name)_magnitude_array", .sint16, scale, unit).toTheEnd
    }
}
