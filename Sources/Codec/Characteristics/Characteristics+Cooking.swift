extension Characteristics {
    /// The characteristics for cooking zones and recipes.
    ///
    /// Source: GATT Specification Supplement; Cookware Service.
    static let cooking: [CharacteristicDefinition] = [
        .record(
            "cooking_zone_capabilities",
            .flags(
                .uint16, .shown("supports_aggregation", 0), .shown("supports_humidity", 3),
                .shown("supports_manufacturer_specific_control", 5)),
            .names(
                "power_technology",
                NamedValues(
                    [
                        0: "heating_other", 1: "heating_induction", 2: "heating_gas", 3: "heating_radiant",
                        4: "cooling_refrigeration", 5: "cooling_freezer", 255: "manufacturer_specific",
                    ], isComplete: true)),
            .number("number_of_cooking_steps", .uint16), .scalar("nominal_power", like: "power").ifBit(1),
            .number("boost_level", .uint8, 1, "%").ifBit(1),
            .scalar("minimum_available_power", like: "cooking_zone_perceived_power").ifBit(1),
            .scalar("maximum_temperature", like: "cooking_temperature").ifBit(2),
            .scalar("minimum_temperature", like: "cooking_temperature").ifBit(2),
            .scalar("maximum_blower_fan_airflow", like: "kitchen_appliance_airflow").ifBit(4)),
        .record("cooking_zone_desired_cooking_conditions", conditions),
        .record("cooking_zone_actual_cooking_conditions", conditions),
        .record(
            "cooking_step_status",
            .bits(
                .uint8, .shown("user_action_required", 0), .shown("last_cooking_step", 1),
                .shown("cooking_step_started", 2)),
            stepIndex, .number("remaining_time", .uint16, 1, "s", unknown: [0xFFFF], kind: .duration)),
        .record(
            "recipe_control",
            .names(
                "op_code", .reserved("read_cooking_step start_cooking_step stop_cooking_step delete_cooking_step")),
            stepIndex),
        .record(
            "recipe_parameters",
            .flags(
                .uint16, .shown("overshoot_prevention", 0), .shown("last_cooking_step", 1),
                .shown("user_action_required", 2)),
            stepIndex, .names("cooking_process_type", processes),
            .number("duration", .uint16, 1, "s", kind: .duration).when("cooking_process_type"),
            .scalar("temperature", like: "cooking_temperature").ifBit(3),
            // The supplement specifies uint8, but also the range from -12.8 to 12.7, which requires sint8.
            .number("temperature_gradient", .sint8, 0.1, "K/s").ifBit(3).ifBit(4),
            .scalar("humidity", like: "humidity").ifBit(5),
            .conditions(
                "termination_condition", .uint16,
                """
                temperature_increase temperature_decrease humidity_increase humidity_decrease - - - - - - - - - - -
                all_conditions
                """
            ).ifBit(6)),
    ]

    private static let conditions: [Field] = [
        .flags(.uint16), .scalar("power_level", like: "cooking_zone_perceived_power").ifBit(0),
        .scalar("temperature", like: "cooking_temperature").ifBit(1), .scalar("humidity", like: "humidity").ifBit(2),
        .number("blower_fan_speed", .uint8, 1, "%", kind: .measurement).ifBit(3),
        .bytes("manufacturer_specific_data").ifBit(4),
    ]

    /// The index of a cooking step; 0 means "not known".
    private static let stepIndex = Field.number("cooking_step_index", .uint16, unknown: [0])

    private static let processes: NamedValues = {
        let words = """
            no_cooking preheating baking boiling braising broiling cooling freezing frying grilling melting poaching
            roasting sauteing simmering sous_vide steaming stewing
            """.split(whereSeparator: \.isWhitespace).enumerated().map { ($0.offset, String($0.element)) }
        return NamedValues(Dictionary(uniqueKeysWithValues: words + [(255, "other")]), isComplete: true)
    }()
}
