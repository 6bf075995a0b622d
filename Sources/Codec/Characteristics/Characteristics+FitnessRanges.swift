extension Characteristics {
    /// The characteristics for the features and the state of a fitness machine.
    ///
    /// Source: GATT Specification Supplement; Fitness Machine Service (1826).
    static let fitnessRanges: [CharacteristicDefinition] = [
        .record(
            "fitness_machine_feature",
            .conditions(
                "features", .uint32,
                """
                average_speed cadence total_distance inclination elevation_gain pace step_count resistance_level
                stride_count expended_energy heart_rate_measurement metabolic_equivalent elapsed_time remaining_time
                power_measurement force_on_belt_and_power_output user_data_retention
                """),
            .conditions(
                "target_settings", .uint32,
                """
                speed_target inclination_target resistance_target power_target heart_rate_target
                targeted_expended_energy targeted_step_number targeted_stride_number targeted_distance
                targeted_training_time targeted_time_in_two_heart_rate_zones
                targeted_time_in_three_heart_rate_zones targeted_time_in_five_heart_rate_zones
                indoor_bike_simulation wheel_circumference_configuration spin_down_control targeted_cadence
                """)),
        .record(
            "training_status", .flags(.uint8, .shown("extended_string_present", 1)),
            .names(
                "training_status",
                .open(
                    """
                    other idle warming_up low_intensity_interval high_intensity_interval recovery_interval isometric
                    heart_rate_control fitness_test speed_outside_of_control_region_low
                    speed_outside_of_control_region_high cool_down watt_control manual_mode pre_workout post_workout
                    """)),
            .text("training_status_string").ifBit(0)),
        .record("supported_speed_range", range("speed", .uint16, .uint16, 0.01, "km/h")),
        .record("supported_inclination_range", range("inclination", .sint16, .uint16, 0.1, "%")),
        .record("supported_heart_rate_range", range("heart_rate", .uint8, .uint8, 1, "bpm")),
        .record("supported_power_range", range("power", .sint16, .uint16, 1, "W")),
        .record(
            "supported_resistance_level_range",
            [
                Format(range("resistance_level", .uint8, .uint8, 10, nil)),
                Format(range("resistance_level", .sint16, .uint16, 0.1, nil)),
            ]),
    ]

    private static func range(
        _ name: String, _ type: NumberType, _ stepType: NumberType, _ scale: Decimal, _ unit: String?
    ) -> [Field] {
        [
            .number("minimum_\(name)", type, scale, unit), .number("maximum_\(name)", type, scale, unit),
            .number("minimum_increment", stepType, scale, unit),
        ]
    }
}
