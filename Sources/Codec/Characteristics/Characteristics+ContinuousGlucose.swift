extension Characteristics {
    /// The characteristics for continuous glucose monitoring.
    ///
    /// Source: GATT Specification Supplement; Continuous Glucose Monitoring Service (181F).
    static let continuousGlucose: [CharacteristicDefinition] = [
        // A notification usually contains one record. Several records are decoded as a list.
        .record("cgm_measurement", [Format(measurement), Format([.record("records", measurement).toTheEnd])]),
        // The second layout is only for encoding: its CRC field is hidden, so that the payload may omit the CRC.
        .record("cgm_feature", [Format(feature + [noCRC]), Format(feature + [noCRC.hidden])]),
        .record(
            "cgm_status", timeOffset, .conditions("cgm_status", .uint24, annunciation.joined(separator: " ")), .crc),
        .record(
            "cgm_session_start_time",
            Field.value("session_start_time", .dateTime), .scalar("time_zone", like: "time_zone"),
            .scalar("dst_offset", like: "dst_offset"), .crc),
        .record("cgm_session_run_time", .number("run_time", .uint16, 1, "h", kind: .duration), .crc),
    ]

    private static let measurement: [Field] = [
        size, .flags(.uint8),
        .number("glucose_concentration", .medfloat16, 1, "mg/dL", kind: .glucose), timeOffset,
        .conditions("status", .uint8, annunciation[0]).ifBit(7),
        .conditions("cal_temp", .uint8, annunciation[1]).ifBit(6),
        .conditions("warning", .uint8, annunciation[2]).ifBit(5),
        .number("trend_information", .medfloat16, 1, "mg/dL/min", kind: .measurement).ifBit(0),
        .number("quality", .medfloat16, 1, "%", kind: .measurement).ifBit(1), .crc,
    ]

    /// The octets of the Sensor Status Annunciation in wire order: status, calibration and temperature, warning.
    private static let annunciation = [
        """
        session_stopped device_battery_low sensor_type_incorrect sensor_malfunction device_specific_alert
        general_device_fault - -
        """,
        """
        time_synchronization_required calibration_not_allowed calibration_recommended calibration_required
        sensor_temperature_too_high sensor_temperature_too_low calibration_pending -
        """,
        """
        result_lower_than_patient_low_level result_higher_than_patient_high_level result_lower_than_hypo_level
        result_higher_than_hyper_level rate_of_decrease_exceeded rate_of_increase_exceeded
        result_lower_than_device_can_process result_higher_than_device_can_process
        """,
    ]

    private static let timeOffset = Field.number("time_offset", .uint16, 1, "min")

    private static let size = Field.size("size", .uint8).hidden

    private static let feature: [Field] = [
        .conditions(
            "cgm_feature", .uint24,
            """
            calibration patient_high_low_alerts hypo_alerts hyper_alerts rate_of_change_alerts
            device_specific_alert sensor_malfunction_detection sensor_temperature_high_low_detection
            sensor_result_high_low_detection low_battery_detection sensor_type_error_detection
            general_device_fault e2e_crc_supported multiple_bond multiple_sessions trend_information quality
            """),
        typeAndLocation, featureCRC,
    ]

    private static let featureCRC = Field("e2e_crc", .checksum(.crc16, .uint16, unknown: [0xFFFF]))
        .when("e2e_crc_supported")

    /// The CRC field of a device that does not calculate a CRC: 0xFFFF, or any number in some devices.
    private static let noCRC = Field.number("e2e_crc", .uint16, unknown: [0xFFFF]).unless("e2e_crc_supported")
}
