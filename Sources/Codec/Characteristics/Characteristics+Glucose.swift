extension Characteristics {
    /// The characteristics for glucose in a sample of blood.
    ///
    /// Source: GATT Specification Supplement; Glucose Service (1808).
    static let glucose: [CharacteristicDefinition] = [
        .conditions(
            "glucose_feature", .uint16,
            """
            low_battery_detection sensor_malfunction_detection sensor_sample_size strip_insertion_error_detection
            strip_type_error_detection result_high_low_detection temperature_high_low_detection
            read_interrupt_detection general_device_fault time_fault multiple_bond
            """),
        .record(
            "glucose_measurement",
            [
                .flags(
                    .uint8, .names("unit", 2...2, .units("mg/dL mmol/L")).when("flag_1"),
                    .shown("context_information_follows", 4)),
                .number("sequence_number", .uint16), .value("base_time", .dateTime),
                // The two special values mean that the offset is beyond the range of the field.
                .number("time_offset", .sint16, 1, "min", unknown: [0x7FFF, -0x8000]).ifBit(0),
            ],
            // The bytes are in kg/L or mol/L; the reading is in mg/dL or mmol/L.
            Field.either(
                "glucose_concentration", .medfloat16, 100_000, "mg/dL", or: 1000, "mmol/L", flag: "unit",
                kind: .glucose
            ).map { $0.ifBit(1) },
            [
                typeAndLocation.ifBit(1),
                .conditions(
                    "sensor_status_annunciation", .uint16,
                    """
                    device_battery_low sensor_malfunction sample_size_insufficient strip_insertion_error
                    strip_type_incorrect sensor_result_too_high sensor_result_too_low sensor_temperature_too_high
                    sensor_temperature_too_low sensor_read_interrupted general_device_fault time_fault
                    """
                ).ifBit(3),
            ]),
        .record(
            "glucose_measurement_context",
            [
                .flags(.uint8, .hidden("medication_in_litres", 5)), .number("sequence_number", .uint16),
                .number("extended_flags", .uint8).ifBit(7),
                .names(
                    "carbohydrate_id", .reserved(from: 1, "breakfast lunch dinner snack drink supper brunch")
                ).ifBit(0),
                .number("carbohydrate", .medfloat16, 1, "kg").ifBit(0),
                .names("meal", .reserved(from: 1, "preprandial postprandial fasting casual bedtime")).ifBit(1),
                .bits(
                    .uint8,
                    .names(
                        "tester", 0...3,
                        NamedValues([1: "self", 2: "health_care_professional", 3: "lab_test", 15: "not_available"])),
                    .names(
                        "health", 4...7,
                        NamedValues([
                            1: "minor_issues", 2: "major_issues", 3: "during_menses", 4: "under_stress",
                            5: "no_issues", 15: "not_available",
                        ]))
                ).ifBit(2),
                .number("exercise_duration", .uint16, 1, "s", unknown: [0xFFFF]).ifBit(3),
                .number("exercise_intensity", .uint8, 1, "%").ifBit(3),
                .names(
                    "medication_id",
                    .reserved(
                        from: 1,
                        """
                        rapid_acting_insulin short_acting_insulin intermediate_acting_insulin long_acting_insulin
                        pre_mixed_insulin
                        """)
                ).ifBit(4),
            ],
            Field.either("medication", .medfloat16, 1, "kg", or: 1, "L", flag: "medication_in_litres").map {
                $0.ifBit(4)
            },
            [.number("hba1c", .medfloat16, 1, "%").ifBit(6)]),
    ]

    /// The fluid and the location of a sample, four bits each (Glucose Service, 3.1.1.5; CGM Service, 3.1.1.2).
    static let typeAndLocation = Field.bits(
        .uint8,
        .names(
            "type", 0...3,
            .open(
                from: 1,
                """
                capillary_whole_blood capillary_plasma venous_whole_blood venous_plasma arterial_whole_blood
                arterial_plasma undetermined_whole_blood undetermined_plasma interstitial_fluid control_solution
                """)),
        .names(
            "sample_location", 4...7,
            NamedValues([
                1: "finger", 2: "alternate_site_test", 3: "earlobe", 4: "control_solution",
                5: "subcutaneous_tissue", 15: "not_available",
            ])))
}
