extension Characteristics {
    /// The characteristics for running speed and cadence.
    ///
    /// Source: GATT Specification Supplement; Running Speed and Cadence Service (1814).
    static let running: [CharacteristicDefinition] = [
        .conditions(
            "rsc_feature", .uint16,
            "instantaneous_stride_length total_distance walking_or_running_status calibration multiple_sensor_locations"
        ),
        .record(
            "rsc_measurement", .flags(.uint8, .shown("is_running", 2)),
            .number("instantaneous_speed", .uint16, 0.00390625, "m/s", kind: .speed),
            .number("instantaneous_cadence", .uint8, 1, "step/min", kind: .measurement),
            .number("instantaneous_stride_length", .uint16, 0.01, "m", kind: .distance).ifBit(0),
            .number("total_distance", .uint32, 0.1, "m", kind: .totalDistance).ifBit(1)),
    ]

    /// The characteristics for cycling speed and cadence.
    ///
    /// The counters and the times of the last events wrap around.
    ///
    /// Source: GATT Specification Supplement; Cycling Speed and Cadence Service (1816).
    static let cycling: [CharacteristicDefinition] = [
        .conditions(
            "csc_feature", .uint16, "wheel_revolution_data crank_revolution_data multiple_sensor_locations"),
        .record(
            "csc_measurement", .flags(.uint8), wheelRevolutions.ifBit(0),
            .number("last_wheel_event_time", .uint16, 0.0009765625, "s").ifBit(0), crankRevolutions.ifBit(1),
            crankTime.ifBit(1)),
    ]

    static let wheelRevolutions = Field.number("cumulative_wheel_revolutions", .uint32, kind: .measurement)
    static let crankRevolutions = Field.number("cumulative_crank_revolutions", .uint16, kind: .measurement)
    static let crankTime = Field.number("last_crank_event_time", .uint16, 0.0009765625, "s")
}
