extension Characteristics {
    /// The characteristics for days, time zones and durations.
    ///
    /// Source: GATT Specification Supplement.
    static let time: [CharacteristicDefinition] = [
        .names("day_of_week", from: 1, "monday tuesday wednesday thursday friday saturday sunday", unknown: 0),
        .value("date_utc", .date, kind: .date),
        .value("estimated_service_date", .date, kind: .date),
        .value("first_use_date", .date, kind: .date),
        .names(
            "dst_offset",
            [0: "standard_time", 2: "half_an_hour_daylight_time", 4: "daylight_time", 8: "double_daylight_time"],
            unknown: 255),
        .number("time_zone", .sint8, 15, "min", unknown: -128, in: -720...840),
        .number("time_accuracy", .uint8, 0.125, "s", unknown: 255, 254),
        .names(
            "time_source",
            """
            unknown network_time_protocol gps radio_time_signal manual atomic_clock cellular_network
            not_synchronized
            """),
        .names("time_update_control_point", from: 1, "get_reference_update cancel_reference_update"),
        .number("measurement_interval", .uint16, "s"),
        .number("time_decihour_8", .uint8, 0.1, "h", unknown: 0xFF, in: 0...23.9, kind: .duration),
        .value("time_exponential_8", .exponentialTime, unit: "s", kind: .duration),
        .number("time_hour_24", .uint24, "h", unknown: 0xFFFFFF, kind: .duration),
        .number("time_millisecond_24", .uint24, 0.001, "s", unknown: 0xFFFFFF, kind: .duration),
        .number("time_second_16", .uint16, "s", unknown: 0xFFFF, kind: .duration),
        .number("time_second_8", .uint8, "s", unknown: 0xFF, kind: .duration),
        .number("time_second_32", .uint32, "s", unknown: 0xFFFF_FFFF, kind: .duration),
    ]
}
