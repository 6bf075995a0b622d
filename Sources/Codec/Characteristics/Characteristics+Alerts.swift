extension Characteristics {
    /// The characteristics for the alerts of a phone.
    ///
    /// Source: GATT Specification Supplement; Alert Notification Service (1811) and Phone Alert Status Service (180E).
    static let alerts: [CharacteristicDefinition] = [
        .conditions("alert_category_id_bit_mask", .uint16, categories),
        .conditions("alert_status", .uint8, "ringer_state vibrate_state display_alert_status"),
        CharacteristicDefinition(
            "supported_new_alert_category", [.conditions("value", .uint16, categories)], or: [shortCategories]),
        CharacteristicDefinition(
            "supported_unread_alert_category", [.conditions("value", .uint16, categories)], or: [shortCategories]),
        .record(
            "alert_notification_control_point",
            .names(
                "command_id",
                .reserved(
                    """
                    enable_new_alert enable_unread_category_status disable_new_alert disable_unread_category_status
                    notify_new_alert notify_unread_category_status
                    """)),
            category),
        .record("unread_alert_status", category, .number("unread_count", .uint8)),
        .record("new_alert", category, .number("number_of_new_alert", .uint8), .text("text_string_information")),
    ]

    private static let category = Field.scalar("category_id", like: "alert_category_id")

    private static let categories =
        "simple_alert email news call missed_call sms_mms voice_mail schedule high_prioritized_alert instant_message"

    /// The layout of a device that omits the second octet if no bit of this octet is set.
    private static let shortCategories = Format([
        .conditions("value", .uint8, "simple_alert email news call missed_call sms_mms voice_mail schedule")
    ])
}
