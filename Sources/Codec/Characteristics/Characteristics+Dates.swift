extension Characteristics {
    /// The characteristics for dates and clocks.
    ///
    /// Source: GATT Specification Supplement; Current Time Service (1805), Reference Time Update Service (1806), Device
    /// Time Service (1847).
    static let dates: [CharacteristicDefinition] = [
        .value("date_time", .dateTime),
        .value("object_first_created", .dateTime),
        .value("object_last_modified", .dateTime),
        .record("day_date_time", dateTime, dayOfWeek),
        .record("exact_time_256", dateTime, dayOfWeek, fractions),
        .record(
            "current_time", dateTime, dayOfWeek, fractions,
            .conditions(
                "adjust_reason", .uint8,
                "manual_time_update external_reference_time_update change_of_time_zone change_of_dst")),
        .record("time_with_dst", dateTime, .scalar("dst_offset", like: "dst_offset")),
        .record(
            "local_time_information",
            .scalar("time_zone", like: "time_zone"), .scalar("dst_offset", like: "dst_offset")),
        .record(
            "reference_time_information",
            .scalar("time_source", like: "time_source"), .scalar("time_accuracy", like: "time_accuracy"),
            // 255 means 255 days or more; in this case the hours are 255, too.
            .number("days_since_update", .uint8, 1, "d", unknown: [255]),
            .number("hours_since_update", .uint8, 1, "h", unknown: [255], in: 0...23)),
        .record(
            "time_update_state",
            .names("current_state", .reserved("idle update_pending")),
            .names(
                "result",
                .reserved("successful canceled no_connection error_response timeout not_attempted"))),
        .record(
            "device_time",
            // Seconds since 1900 or 2000, which the features of the device determine.
            .number("base_time", .uint32, 1, "s"), .scalar("time_zone", like: "time_zone"),
            .scalar("dst_offset", like: "dst_offset"),
            .conditions(
                "dt_status", .uint16,
                """
                time_fault utc_aligned qualified_local_time_synchronized propose_time_update_request
                epoch_year_2000 non_logged_time_change_active log_consolidation_active
                """),
            .rest),
        .record(
            "device_time_feature",
            // 0xFFFF if the device does not calculate a checksum.
            .number("e2e_crc", .uint16, unknown: [0xFFFF]),
            .conditions(
                "value", .uint16,
                """
                e2e_crc_supported time_change_logging base_time_second_fractions time_or_date_displayed
                displayed_formats displayed_formats_changeable separate_user_timeline authorization_required
                rtc_drift_tracking epoch_year_1900 epoch_year_2000 propose_non_logged_time_adjustment_limit
                retrieve_active_time_adjustments
                """)),
        // Further parameters are present as the features of the device determine.
        .record(
            "device_time_parameters", .number("rtc_resolution", .uint16, 0.0000152587890625, "s"),
            Field.bytes("parameters").optional),
        .record("date_of_birth", year, month, day),
        .record("date_of_threshold_assessment", year, month, day),
        .record(
            "elapsed_time",
            .bits(
                .uint8, .shown("is_tick_counter", 0), .shown("is_utc", 1),
                .names(
                    "time_resolution", 2...3,
                    .reserved(
                        "one_second one_hundred_milliseconds one_millisecond "
                            + "one_hundred_microseconds")),
                .shown("uses_tz_dst_offset", 4), .shown("is_current_timeline", 5)),
            .number("time_value", .uint48), timeSource.unless("is_tick_counter"),
            // The time source of a tick counter has no meaning and can be any number.
            timeSource.open.when("is_tick_counter"),
            .number("tz_dst_offset", .sint8, 15, "min")),
    ]

    static let dateTime = Field.value("date_time", .dateTime)
    static let timeStamp = Field.value("time_stamp", .dateTime)
    private static let timeSource = Field.scalar("time_sync_source_type", like: "time_source")
    private static let dayOfWeek = Field.scalar("day_of_week", like: "day_of_week")
    private static let fractions = Field.number("fractions256", .uint8)

    // 0 means "not known" and is read as 0: year, month and day are separate fields, and each can be unknown alone.
    private static let year = Field.number("year", .uint16, 1, "yr", in: 1582...9999).allowingZero
    private static let month = Field.number("month", .uint8, in: 0...12)
    private static let day = Field.number("day", .uint8, 1, "d", in: 0...31)
}
