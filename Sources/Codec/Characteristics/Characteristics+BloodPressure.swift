extension Characteristics {
    /// The characteristics for blood pressure.
    ///
    /// Source: GATT Specification Supplement; Blood Pressure Service (1810).
    static let bloodPressure: [CharacteristicDefinition] = [
        .conditions(
            "blood_pressure_feature", .uint16,
            """
            body_movement_detection cuff_fit_detection irregular_pulse_detection pulse_rate_range_detection
            measurement_position_detection multiple_bond e2e_crc user_data_service user_facing_time
            """),
        .record("blood_pressure_measurement", [.flags(.uint8, unit)], compound, [timeStamp.ifBit(1)], context),
        .record(
            "intermediate_cuff_pressure", [.flags(.uint8, unit)], pressure("current_cuff_pressure"),
            [unused("diastolic"), unused("mean_arterial_pressure"), timeStamp.ifBit(1)], context),
        .record(
            "enhanced_blood_pressure_measurement", [.flags(.uint8, unit, epoch)], compound,
            [seconds("time_stamp").ifBit(1)], context, [seconds("user_facing_time").ifBit(5)]),
        .record(
            "enhanced_intermediate_cuff_pressure", [.flags(.uint8, unit, epoch)],
            pressure("intermediate_cuff_pressure"),
            [seconds("time_stamp").ifBit(1)], context, [seconds("user_facing_time").ifBit(5)]),
        .record(
            "blood_pressure_record",
            .bits(
                .uint8, .shown("first_segment", 0), .shown("last_segment", 1),
                BitField("rolling_segment_counter", 2...7)),
            .number("sequence_number", .uint16), uuid16, .bytes("recorded_characteristic")),
    ]

    /// The flag that selects the unit of the pressures; the reading shows the unit.
    private static let unit = BitField.names("unit", 0...0, .units("mmHg kPa"))
    private static let epoch = BitField.shown("epoch_start_2000", 6)

    private static let compound = pressure("systolic") + pressure("diastolic") + pressure("mean_arterial_pressure")

    private static let context = [
        Field.number("pulse_rate", .medfloat16, 1, "bpm", kind: .measurement).ifBit(2),
        .number("user_id", .uint8, unknown: [255]).ifBit(3),
        .conditions(
            "measurement_status", .uint16,
            [
                .shown("body_movement_detected", 0), .shown("cuff_too_loose", 1),
                .shown("irregular_pulse_detected", 2),
                .names("pulse_rate_range", 3...4, .open("within_range above_upper_limit below_lower_limit")),
                .shown("improper_measurement_position", 5),
            ]
        ).ifBit(4),
    ]

    /// Returns the fields of a pressure in the unit that the flag `unit` selects.
    private static func pressure(_ name: String) -> [Field] {
        Field.either(name, .medfloat16, 1, "mmHg", or: 1, "kPa", flag: "unit", kind: .pressure)
    }

    /// Returns a field of the compound value that a cuff pressure does not use.
    private static func unused(_ name: String) -> Field {
        Field.number(name, .medfloat16).hidden
    }

    /// Returns the field of a time in seconds since 1900 or, if `epoch_start_2000` is set, since 2000.
    private static func seconds(_ name: String) -> Field {
        .number(name, .uint32, 1, "s")
    }

    private static let uuid16 = Field.uuid("uuid", length: 2)
}
