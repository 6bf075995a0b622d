extension Characteristics {
    /// The characteristics for the identity and the settings of a device.
    ///
    /// Source: GATT Specification Supplement; Device Information Service (180A) and GAP Service (1800).
    static let device: [CharacteristicDefinition] = [
        .text("device_name"),
        .number("appearance", .uint16),
        .record(
            "peripheral_preferred_connection_parameters",
            .number("minimum_connection_interval", .uint16, 1.25, "ms", unknown: [0xFFFF]),
            .number("maximum_connection_interval", .uint16, 1.25, "ms", unknown: [0xFFFF]),
            .number("peripheral_latency", .uint16),
            .number("connection_supervision_timeout", .uint16, 10, "ms", unknown: [0xFFFF])),
        .text("model_number_string"),
        .text("serial_number_string"),
        .text("firmware_revision_string"),
        .text("hardware_revision_string"),
        .text("software_revision_string"),
        .text("manufacturer_name_string"),
        .number("system_id", .uint64),
        .number("tx_power_level", .sint8, "dBm", in: -100...20, kind: .signalStrength),
        .names("alert_level", "no_alert mild_alert high_alert"),
        .names("ringer_control_point", from: 1, "silent_mode mute_once cancel_silent_mode"),
        .names("ringer_setting", "silent normal"),
        .names(
            "alert_category_id",
            """
            simple_alert email news call missed_call sms_mms voice_mail schedule high_prioritized_alert
            instant_message
            """, isComplete: false),
        .text("object_name"),
        .number("object_id", .uint48),
        .number("content_control_id", .uint8),
    ]
}
