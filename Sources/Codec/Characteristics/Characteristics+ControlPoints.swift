extension Characteristics {
    /// The control points: characteristics with an op code and its parameters.
    ///
    /// The parameters of an unknown op code are read as bytes.
    ///
    /// Source: GATT Specification Supplement; the services of the control points: Cycling Speed and Cadence (1816),
    /// Cycling Power (1818), Location and Navigation (1819), Fitness Machine (1826), Continuous Glucose Monitoring
    /// (181F), Glucose (1808).
    static let controlPoints: [CharacteristicDefinition] = [
        controlPoint("sc_control_point", response: 0x10, cyclingOperations),
        controlPoint("cycling_power_control_point", response: 0x20, cyclingPowerOperations),
        controlPoint("ln_control_point", response: 0x20, locationOperations),
        controlPoint(
            "fitness_machine_control_point", response: 0x80, fitnessOperations,
            results: "\(results) control_not_permitted"),
        controlPoint(
            "cgm_specific_ops_control_point", response: 0x1C, glucoseOperations,
            results: "success op_code_not_supported invalid_operand procedure_not_completed parameter_out_of_range",
            ending: .crc),
        status("fitness_machine_status", fitnessEvents),
        controlPoint(
            "device_time_control_point", response: 0x09,
            [2: ("propose_time_update", timeUpdate), 3: ("force_time_update", timeUpdate)],
            results: "success op_code_not_supported invalid_operand operation_failed procedure_rejected",
            ending: Field.bytes("parameter").optional),
        .record("digital", digitals),
        .record(
            "record_access_control_point",
            .names("op_code", recordOperations),
            .names("operator", .open("null all_records less_or_equal greater_or_equal within_range first last")),
            .number("number_of_records", .uint16).when("op_code", is: 5),
            .names("request_op_code", recordOperations).when("op_code", is: 6),
            .names(
                "response_code_value",
                .open(
                    from: 1,
                    """
                    success op_code_not_supported invalid_operator operator_not_supported invalid_operand
                    no_records_found abort_unsuccessful procedure_not_completed operand_not_supported server_busy
                    """)
            ).when("op_code", is: 6),
            Field.bytes("operand").optional.unless("op_code", is: 5).unless("op_code", is: 6)),
    ]

    private static let results = "success op_code_not_supported invalid_parameter operation_failed"

    /// The operations of a control point, by op code: the name of each operation and the fields of its parameters.
    private typealias Operations = [Int: (name: String, fields: [Field])]

    /// Returns the definition of a control point.
    ///
    /// The field `ending` follows the fields of every op code; by default it contains unknown parameters.
    private static func controlPoint(
        _ name: String, response: Int, _ operations: Operations, results: String = results, ending: Field? = nil
    ) -> CharacteristicDefinition {
        var names = operations.mapValues(\.name)
        names[response] = "response_code"
        let values = NamedValues(names)
        let answer: [Field] = [
            .names("request_op_code", values), .names("response_value", .open(from: 1, results)),
        ]
        let known = operations.sorted { $0.key < $1.key }.flatMap { code, operation in
            operation.fields.map { $0.when("op_code", is: code) }
        }
        let unknown = operations.keys.sorted().reduce(Field.bytes("parameter").optional) {
            $0.unless("op_code", is: $1)
        }
        return .record(
            name, [.names("op_code", values)], known, answer.map { $0.when("op_code", is: response) },
            [ending ?? unknown])
    }

    /// Returns the definition of a status, which has no response.
    private static func status(_ name: String, _ operations: Operations) -> CharacteristicDefinition {
        let known = operations.sorted { $0.key < $1.key }.flatMap { code, operation in
            operation.fields.map { $0.when("op_code", is: code) }
        }
        let unknown = operations.keys.sorted().reduce(Field.bytes("parameter").optional) {
            $0.unless("op_code", is: $1)
        }
        return .record(name, [.names("op_code", NamedValues(operations.mapValues(\.name)))], known, [unknown])
    }

    private static let recordOperations = NamedValues.open(
        from: 1,
        """
        report_stored_records delete_stored_records abort_operation report_number_of_stored_records
        number_of_stored_records_response response_code combined_report combined_report_response
        """)

    /// The time of a Device Time Control Point, in seconds since 1900 or 2000.
    private static let timeUpdate: [Field] = [
        .conditions(
            "time_update_flags", .uint16,
            """
            utc_aligned qualified_local_time_synchronized manual_adjustment external_reference_adjustment
            time_zone_adjustment dst_adjustment epoch_year_2000 second_fractions_not_valid
            """),
        .number("base_time", .uint32, 1, "s"), .scalar("time_zone", like: "time_zone"),
        .scalar("dst_offset", like: "dst_offset"), .scalar("time_source", like: "time_source"),
        .scalar("time_accuracy", like: "time_accuracy"),
    ]

    /// The inputs and outputs of the Automation IO Service (1815), four in each byte.
    private static let digitals: [Field] = (0..<8).map { byte in
        let inputs = (0..<4).map { bits in
            BitField.names(
                "digital_\(4 * byte + bits + 1)", 2 * bits...2 * bits + 1,
                .reserved("inactive active tristate output_state"))
        }
        let field = Field.bits(.uint8, inputs)
        return byte == 0 ? field : field.optional
    }

    private static let sensorLocation = Field.scalar("sensor_location", like: "sensor_location")

    private static let cyclingOperations: Operations = [
        1: ("set_cumulative_value", [.number("cumulative_value", .uint32)]),
        2: ("start_sensor_calibration", []),
        3: ("update_sensor_location", [sensorLocation]),
        4: ("request_supported_sensor_locations", []),
    ]

    private static let cyclingPowerOperations: Operations = [
        1: ("set_cumulative_value", [.number("cumulative_value", .uint32)]),
        2: ("update_sensor_location", [sensorLocation]),
        3: ("request_supported_sensor_locations", []),
        4: ("set_crank_length", [.number("crank_length", .uint16, 0.5, "mm")]),
        5: ("request_crank_length", []),
        6: ("set_chain_length", [.number("chain_length", .uint16, 1, "mm")]),
        7: ("request_chain_length", []),
        8: ("set_chain_weight", [.number("chain_weight", .uint16, 1, "g")]),
        9: ("request_chain_weight", []),
        10: ("set_span_length", [.number("span_length", .uint16, 1, "mm")]),
        11: ("request_span_length", []),
        12: ("start_offset_compensation", []),
        13: ("mask_content", [.number("mask_value", .uint16)]),
        14: ("request_sampling_rate", []),
        15: ("request_factory_calibration_date", []),
        16: ("start_enhanced_offset_compensation", []),
    ]

    private static let locationOperations: Operations = [
        1: ("set_cumulative_value", [.number("cumulative_value", .uint24, 0.1, "m")]),
        2: ("mask_content", [.number("mask_value", .uint16)]),
        3: (
            "navigation_control",
            [.names("control_value", .open("stop start pause continue skip_waypoint select_nearest_waypoint"))]
        ),
        4: ("request_number_of_routes", []),
        5: ("request_name_of_route", [.number("route_number", .uint16)]),
        6: ("select_route", [.number("route_number", .uint16)]),
        7: ("set_fix_rate", [.number("fix_rate", .uint8, 1, "s")]),
        8: ("set_elevation", [.number("elevation", .sint24, 0.01, "m")]),
    ]

    private static let fitnessOperations: Operations = [
        0x00: ("request_control", []),
        0x01: ("reset", []),
        0x02: ("set_target_speed", [.number("speed", .uint16, 0.01, "km/h")]),
        0x03: ("set_target_inclination", [.number("inclination", .sint16, 0.1, "%")]),
        0x05: ("set_target_power", [.number("power", .sint16, 1, "W")]),
        0x06: ("set_target_heart_rate", [.number("heart_rate", .uint8, 1, "bpm")]),
        0x07: ("start_or_resume", []),
        0x08: ("stop_or_pause", [.names("control_value", .open(from: 1, "stop pause"))]),
        0x09: ("set_targeted_expended_energy", [.number("expended_energy", .uint16, 1, "kcal")]),
        0x0A: ("set_targeted_number_of_steps", [.number("steps", .uint16)]),
        0x0B: ("set_targeted_number_of_strides", [.number("strides", .uint16)]),
        0x0C: ("set_targeted_distance", [.number("distance", .uint24, 1, "m")]),
        0x0D: ("set_targeted_training_time", [.number("training_time", .uint16, 1, "s")]),
        0x11: (
            "set_indoor_bike_simulation",
            [
                .number("wind_speed", .sint16, 0.001, "m/s"), .number("grade", .sint16, 0.01, "%"),
                .number("rolling_resistance_coefficient", .uint8, 0.0001),
                .number("wind_resistance_coefficient", .uint8, 0.01, "kg/m"),
            ]
        ),
        0x12: ("set_wheel_circumference", [.number("wheel_circumference", .uint16, 0.1, "mm")]),
        0x13: ("spin_down_control", [.names("control_value", .open(from: 1, "start ignore"))]),
        0x14: ("set_targeted_cadence", [.number("cadence", .uint16, 0.5, "rpm")]),
    ]

    private static let fitnessEvents: Operations = {
        func changed(_ operation: Int) -> [Field] { fitnessOperations[operation]?.fields ?? [] }
        func zones(_ words: String) -> [Field] {
            words.split(separator: " ").map { .number("\($0)_zone_time", .uint16, 1, "s") }
        }
        return [
            0x01: ("reset", []),
            0x02: ("stopped_or_paused_by_user", changed(0x08)),
            0x03: ("stopped_by_safety_key", []),
            0x04: ("started_or_resumed_by_user", []),
            0x05: ("target_speed_changed", changed(0x02)),
            0x06: ("target_inclination_changed", changed(0x03)),
            0x07: ("target_resistance_changed", [.number("resistance_level", .uint8, 0.1)]),
            0x08: ("target_power_changed", changed(0x05)),
            0x09: ("target_heart_rate_changed", changed(0x06)),
            0x0A: ("targeted_expended_energy_changed", changed(0x09)),
            0x0B: ("targeted_number_of_steps_changed", changed(0x0A)),
            0x0C: ("targeted_number_of_strides_changed", changed(0x0B)),
            0x0D: ("targeted_distance_changed", changed(0x0C)),
            0x0E: ("targeted_training_time_changed", changed(0x0D)),
            0x0F: ("targeted_time_in_two_zones_changed", zones("fat_burn fitness")),
            0x10: ("targeted_time_in_three_zones_changed", zones("light moderate hard")),
            0x11: ("targeted_time_in_five_zones_changed", zones("very_light light moderate hard maximum")),
            0x12: ("indoor_bike_simulation_changed", changed(0x11)),
            0x13: ("wheel_circumference_changed", changed(0x12)),
            0x14: ("spin_down_status", [.names("spin_down", .open(from: 1, "requested success error stop_pedaling"))]),
            0x15: ("targeted_cadence_changed", changed(0x14)),
            0xFF: ("control_permission_lost", []),
        ]
    }()

    private static let glucoseOperations: Operations = {
        var operations: Operations = [
            1: ("set_communication_interval", [interval]),
            2: ("get_communication_interval", []),
            3: ("communication_interval_response", [interval]),
            4: ("set_glucose_calibration_value", calibration),
            5: ("get_glucose_calibration_value", [.number("calibration_data_record_number", .uint16)]),
            6: ("glucose_calibration_value_response", calibration),
            0x19: ("reset_device_specific_alert", []),
            0x1A: ("start_session", []),
            0x1B: ("stop_session", []),
        ]
        let levels = [
            ("patient_high_alert_level", "mg/dL"), ("patient_low_alert_level", "mg/dL"),
            ("hypo_alert_level", "mg/dL"), ("hyper_alert_level", "mg/dL"),
            ("rate_of_decrease_alert_level", "mg/dL/min"), ("rate_of_increase_alert_level", "mg/dL/min"),
        ]
        for (index, (name, unit)) in levels.enumerated() {
            let level = Field.number(name, .medfloat16, 1, unit)
            operations[7 + 3 * index] = ("set_\(name)", [level])
            operations[8 + 3 * index] = ("get_\(name)", [])
            operations[9 + 3 * index] = ("\(name)_response", [level])
        }
        return operations
    }()

    private static let interval = Field.number("communication_interval", .uint8, 1, "min")

    private static let calibration: [Field] = [
        .number("glucose_concentration", .medfloat16, 1, "mg/dL"), .number("calibration_time", .uint16, 1, "min"),
        typeAndLocation, .number("next_calibration_time", .uint16, 1, "min"),
        .number("calibration_data_record_number", .uint16),
        .conditions("calibration_status", .uint8, "rejected data_out_of_range process_pending"),
    ]
}
