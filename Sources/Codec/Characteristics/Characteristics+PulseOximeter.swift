extension Characteristics {
    /// The characteristics for oxygen saturation and pulse rate.
    ///
    /// Source: GATT Specification Supplement; Pulse Oximeter Service (1822).
    static let pulseOximeter: [CharacteristicDefinition] = [
        .record(
            "plx_spot_check_measurement", .flags(.uint8, .shown("device_clock_not_set", 4)), saturation("spo2"),
            rate("pulse_rate"), timeStamp.ifBit(0), status.ifBit(1), sensor.ifBit(2), amplitude.ifBit(3)),
        .record(
            "plx_continuous_measurement", .flags(.uint8), saturation("spo2"), rate("pulse_rate"),
            saturation("spo2_fast").ifBit(0), rate("pulse_rate_fast").ifBit(0), saturation("spo2_slow").ifBit(1),
            rate("pulse_rate_slow").ifBit(1), status.ifBit(2), sensor.ifBit(3), amplitude.ifBit(4)),
        .record(
            "plx_features",
            .conditions(
                "supported_features", .uint16,
                """
                measurement_status_supported device_and_sensor_status_supported storage_supported
                time_stamp_supported spo2_pr_fast_supported spo2_pr_slow_supported pulse_amplitude_index_supported
                multiple_bonds_supported
                """),
            .number("measurement_status_support", .uint16).when("measurement_status_supported"),
            .number("device_and_sensor_status_support", .uint24).when("device_and_sensor_status_supported")),
    ]

    private static func saturation(_ name: String) -> Field {
        .number(name, .medfloat16, 1, "%", kind: .measurement)
    }

    private static func rate(_ name: String) -> Field {
        .number(name, .medfloat16, 1, "bpm", kind: .measurement)
    }

    private static let amplitude = Field.number("pulse_amplitude_index", .medfloat16, 1, "%", kind: .measurement)

    private static let status = Field.conditions(
        "measurement_status", .uint16,
        """
        - - - - - measurement_ongoing early_estimated_data validated_data fully_qualified_data
        data_from_measurement_storage data_for_demonstration data_for_testing calibration_ongoing
        measurement_unavailable questionable_measurement_detected invalid_measurement_detected
        """)

    private static let sensor = Field.conditions(
        "device_and_sensor_status", .uint24,
        """
        extended_display_update_ongoing equipment_malfunction_detected signal_processing_irregularity_detected
        inadequate_signal_detected poor_signal_detected low_perfusion_detected erratic_signal_detected
        nonpulsatile_signal_detected questionable_pulse_detected signal_analysis_ongoing
        sensor_interference_detected sensor_unconnected_to_user unknown_sensor_connected sensor_displaced
        sensor_malfunctioning sensor_disconnected
        """)
}
