extension Characteristics {
    /// The characteristics for ranges, specifications and statistics of other characteristics.
    ///
    /// Source: GATT Specification Supplement.
    static let ranges: [CharacteristicDefinition] = [
        .record(
            "average_current",
            .scalar("electric_current_value", like: "electric_current"), sensingDuration),
        .record("average_voltage", .scalar("voltage_value", like: "voltage"), sensingDuration),
        .record(
            "electric_current_range",
            .scalar("minimum_electric_current_value", like: "electric_current"),
            .scalar("maximum_electric_current_value", like: "electric_current")),
        .record(
            "electric_current_specification",
            .scalar("minimum_electric_current_value", like: "electric_current"),
            .scalar("typical_electric_current_value", like: "electric_current"),
            .scalar("maximum_electric_current_value", like: "electric_current")),
        .record(
            "electric_current_statistics",
            .scalar("average_electric_current_value", like: "electric_current"),
            .scalar("standard_deviation_electric_current_value", like: "electric_current"),
            .scalar("minimum_electric_current_value", like: "electric_current"),
            .scalar("maximum_electric_current_value", like: "electric_current"), sensingDuration),
        .record(
            "voltage_specification",
            .scalar("minimum_voltage_value", like: "voltage"), .scalar("typical_voltage_value", like: "voltage"),
            .scalar("maximum_voltage_value", like: "voltage")),
        .record(
            "voltage_statistics",
            .scalar("average_voltage_value", like: "voltage"),
            .scalar("standard_deviation_voltage_value", like: "voltage"),
            .scalar("minimum_voltage_value", like: "voltage"), .scalar("maximum_voltage_value", like: "voltage"),
            sensingDuration),
        .record(
            "power_specification",
            .scalar("minimum_power_value", like: "power"), .scalar("typical_power_value", like: "power"),
            .scalar("maximum_power_value", like: "power")),
        .record("energy_in_a_period_of_day", .scalar("energy_value", like: "energy"), startTime, endTime),
        .record(
            "event_statistics",
            .scalar("number_of_events", like: "count_16"),
            .scalar("average_event_duration", like: "time_second_16"),
            .scalar("time_elapsed_since_last_event", like: "time_exponential_8"), sensingDuration),
        .record(
            "luminous_flux_range",
            .scalar("minimum_luminous_flux", like: "luminous_flux"),
            .scalar("maximum_luminous_flux", like: "luminous_flux")),
        .record(
            "chromaticity_coordinates",
            .scalar("chromaticity_x_coordinate", like: "chromaticity_coordinate"),
            .scalar("chromaticity_y_coordinate", like: "chromaticity_coordinate")),
        .record(
            "chromaticity_in_cct_and_duv_values",
            .scalar("correlated_color_temperature", like: "correlated_color_temperature"),
            .scalar("chromaticity_distance_from_planckian", like: "chromatic_distance_from_planckian")),
        .record(
            "relative_runtime_in_a_correlated_color_temperature_range",
            .scalar("relative_runtime", like: "percentage_8"),
            .number("minimum_correlated_color_temperature", .uint16, 1, "K", unknown: [0xFFFF]),
            .number("maximum_correlated_color_temperature", .uint16, 1, "K", unknown: [0xFFFF])),
        .record(
            "relative_runtime_in_a_current_range",
            .scalar("relative_runtime_value", like: "percentage_8"),
            .scalar("minimum_current", like: "electric_current"),
            .scalar("maximum_current", like: "electric_current")),
        .record(
            "relative_runtime_in_a_generic_level_range", relativeValue,
            .scalar("minimum_generic_level", like: "generic_level"),
            .scalar("maximum_generic_level", like: "generic_level")),
        .record(
            "relative_value_in_a_voltage_range", relativeValue, .scalar("minimum_voltage", like: "voltage"),
            .scalar("maximum_voltage", like: "voltage")),
        .record(
            "relative_value_in_an_illuminance_range", relativeValue,
            .scalar("minimum_illuminance", like: "illuminance"), .scalar("maximum_illuminance", like: "illuminance")),
        .record("relative_value_in_a_period_of_day", relativeValue, startTime, endTime),
        .record(
            "relative_value_in_a_temperature_range", relativeValue,
            .scalar("minimum_temperature_value", like: "temperature"),
            .scalar("maximum_temperature_value", like: "temperature")),
        .record(
            "temperature_8_in_a_period_of_day", .scalar("temperature", like: "temperature_8"), startTime, endTime),
        .record(
            "temperature_8_statistics",
            .scalar("average", like: "temperature_8"),
            .scalar("standard_deviation_value", like: "temperature_8"),
            .scalar("minimum_value", like: "temperature_8"), .scalar("maximum_value", like: "temperature_8"),
            sensingDuration),
        .record(
            "temperature_range",
            .scalar("minimum_temperature", like: "temperature"), .scalar("maximum_temperature", like: "temperature")),
        .record(
            "temperature_statistics",
            .scalar("average_temperature", like: "temperature"),
            .scalar("standard_deviation_temperature", like: "temperature"),
            .scalar("minimum_temperature", like: "temperature"), .scalar("maximum_temperature", like: "temperature"),
            sensingDuration),
    ]

    private static let sensingDuration = Field.scalar("sensing_duration", like: "time_exponential_8")
    private static let relativeValue = Field.scalar("relative_value", like: "percentage_8")
    private static let startTime = Field.scalar("start_time", like: "time_decihour_8")
    private static let endTime = Field.scalar("end_time", like: "time_decihour_8")
}
