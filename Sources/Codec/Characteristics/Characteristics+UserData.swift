extension Characteristics {
    /// The characteristics for the training goals and limits of a person.
    ///
    /// Source: GATT Specification Supplement; User Data Service (181C).
    static let userData: [CharacteristicDefinition] = [
        .record(
            "activity_goal", .flags(.uint8), .number("total_energy_expenditure", .uint16, 1000, "J").ifBit(0),
            .number("normal_walking_steps", .uint24).ifBit(1), .number("intensity_steps", .uint24).ifBit(2),
            .number("floor_steps", .uint24).ifBit(3), .number("distance", .uint24, 10, "m").ifBit(4),
            .number("duration_of_normal_walking", .uint24, 1, "s").ifBit(5),
            .number("duration_of_intensity_walking", .uint24, 1, "s").ifBit(6)),
        .record(
            "high_intensity_exercise_threshold",
            .names(
                "field_selector",
                .reserved("none energy_expenditure_per_hour metabolic_equivalent percentage_of_maximum heart_rate")),
            .number("threshold_as_energy_expenditure_per_hour", .uint16, 1000, "J").when("field_selector", is: 1),
            .number("threshold_as_metabolic_equivalent", .uint8, 0.1, "MET").when("field_selector", is: 2),
            .number("threshold_as_percentage_of_maximum_heart_rate", .uint8, 1, "%").when("field_selector", is: 3),
            .number("threshold_as_heart_rate", .uint8, 1, "bpm").when("field_selector", is: 4)),
        .record(
            "three_zone_heart_rate_limits",
            limits("light_fat_burn_moderate_aerobic_limit moderate_aerobic_hard_anaerobic_limit")),
        .record(
            "four_zone_heart_rate_limits", limits("light_moderate_limit moderate_hard_limit hard_maximum_limit")),
        .record(
            "five_zone_heart_rate_limits",
            limits("very_light_light_limit light_moderate_limit moderate_hard_limit hard_maximum_limit")),
    ]

    private static func limits(_ names: String) -> [Field] {
        names.split(separator: " ").map { .number(String($0), .uint8, 1, "bpm") }
    }
}
