extension Characteristics {
    /// The characteristics for location, speed and navigation.
    ///
    /// Source: GATT Specification Supplement; Location and Navigation Service (1819).
    static let location: [CharacteristicDefinition] = [
        .conditions(
            "ln_feature", .uint32,
            """
            instantaneous_speed total_distance location elevation heading rolling_time utc_time remaining_distance
            remaining_vertical_distance estimated_time_of_arrival number_of_beacons_in_solution
            number_of_beacons_in_view time_to_first_fix estimated_horizontal_position_error
            estimated_vertical_position_error horizontal_dilution_of_precision vertical_dilution_of_precision
            content_masking fix_rate_setting elevation_setting position_status
            """),
        .record(
            "location_and_speed",
            .flags(
                .uint16, status(7...8), .names("speed_and_distance_format", 9...9, .reserved("2d 3d")),
                .names(
                    "elevation_source", 10...11,
                    .reserved("positioning_system barometric_air_pressure database_service other")),
                heading(12)),
            .number("instantaneous_speed", .uint16, 0.01, "m/s", kind: .speed).ifBit(0),
            .number("total_distance", .uint24, 0.1, "m", kind: .totalDistance).ifBit(1),
            .number("latitude", .sint32, 0.0000001, "°").ifBit(2),
            .number("longitude", .sint32, 0.0000001, "°").ifBit(2),
            .number("elevation", .sint24, 0.01, "m", kind: .distance).ifBit(3),
            .number("heading", .uint16, 0.01, "°", kind: .measurement).ifBit(4),
            .number("rolling_time", .uint8, 1, "s").ifBit(5), Field.value("utc_time", .dateTime).ifBit(6)),
        .record(
            "navigation",
            .flags(
                .uint16, status(3...4), heading(5),
                .names("navigation_indicator_type", 6...6, .reserved("to_waypoint to_destination")),
                .shown("waypoint_reached", 7), .shown("destination_reached", 8)),
            .number("bearing", .uint16, 0.01, "°", kind: .measurement),
            .number("heading", .uint16, 0.01, "°", kind: .measurement),
            .number("remaining_distance", .uint24, 0.1, "m", kind: .distance).ifBit(0),
            .number("remaining_vertical_distance", .sint24, 0.01, "m", kind: .distance).ifBit(1),
            Field.value("estimated_time_of_arrival", .dateTime).ifBit(2)),
        .record(
            "position_quality", .flags(.uint16, status(7...8)),
            .number("number_of_beacons_in_solution", .uint8).ifBit(0),
            .number("number_of_beacons_in_view", .uint8).ifBit(1),
            .number("time_to_first_fix", .uint16, 0.1, "s").ifBit(2), .number("ehpe", .uint32, 0.01, "m").ifBit(3),
            .number("evpe", .uint32, 0.01, "m").ifBit(4), .number("hdop", .uint8, 0.2).ifBit(5),
            .number("vdop", .uint8, 0.2).ifBit(6)),
    ]

    private static func status(_ bits: ClosedRange<Int>) -> BitField {
        .names("position_status", bits, .reserved("no_position position_ok estimated_position last_known_position"))
    }

    private static func heading(_ bit: Int) -> BitField {
        .names("heading_source", bit...bit, .reserved("movement magnetic_compass"))
    }
}
