extension Characteristics {
    /// The characteristics for the measurements of fitness machines.
    ///
    /// Flag 0 ("More Data") is set in all parts of a measurement except the last part.
    ///
    /// Source: GATT Specification Supplement; Fitness Machine Service (1826, FTMS).
    static let fitness = machines.map(\.inParts) + fitnessRanges

    private static let machines: [CharacteristicDefinition] =
        [
            .record(
                "treadmill_data",
                [treadmill(pace: pace(_:ifBit:)), treadmill(pace: paceInTenths(_:ifBit:))]),
            .record(
                "cross_trainer_data",
                [
                    .flags(
                        .uint24, .names("movement_direction", 15...15, .reserved("forward backward")),
                        reserved(16...23)),
                    speed.unlessBit(0), averageSpeed.ifBit(1), distance.ifBit(2),
                    rate("steps_per_minute", unknown: 0xFFFF).ifBit(3),
                    rate("average_step_rate", unknown: 0xFFFF).ifBit(3),
                    .number("stride_count", .uint16, 0.1).ifBit(4),
                ], gain(1).map { $0.ifBit(5) }, [inclination.ifBit(6), ramp("ramp_setting").ifBit(6)],
                [resistance.ifBit(7), power("instantaneous_power").ifBit(8), power("average_power").ifBit(9)],
                expenditure(from: 10), [later]),
            .record(
                "step_climber_data",
                [
                    .flags(.uint16, reserved(9...15)), .number("floors", .uint16).unlessBit(0),
                    .number("step_count", .uint16).unlessBit(0),
                    rate("steps_per_minute").ifBit(1), rate("average_step_rate").ifBit(2),
                    .number("positive_elevation_gain", .uint16, 1, "m").ifBit(3),
                ], expenditure(from: 4), [later]),
            .record(
                "stair_climber_data",
                [
                    .flags(.uint16, reserved(10...15)), .number("floors", .uint16).unlessBit(0),
                    rate("steps_per_minute").ifBit(1),
                    rate("average_step_rate").ifBit(2), .number("positive_elevation_gain", .uint16, 1, "m").ifBit(3),
                    .number("stride_count", .uint16).ifBit(4),
                ], expenditure(from: 5), [later]),
            .record(
                "rower_data",
                [
                    .flags(.uint16, reserved(13...15)), strokes("stroke_rate").unlessBit(0),
                    .number("stroke_count", .uint16).unlessBit(0),
                    strokes("average_stroke_rate").ifBit(1), distance.ifBit(2), pace("instantaneous_pace").ifBit(3),
                    pace("average_pace").ifBit(4), power("instantaneous_power").ifBit(5),
                    power("average_power").ifBit(6), resistance.ifBit(7),
                ], expenditure(from: 8), [later]),
            .record(
                "indoor_bike_data",
                [
                    .flags(.uint16, reserved(13...15)), speed.unlessBit(0), averageSpeed.ifBit(1),
                    cadence("instantaneous_cadence").ifBit(2),
                    cadence("average_cadence").ifBit(3), distance.ifBit(4), resistance.ifBit(5),
                    power("instantaneous_power").ifBit(6), power("average_power").ifBit(7),
                ], expenditure(from: 8), [later]),
        ]

    private static func treadmill(pace: (String, Int) -> [Field]) -> Format {
        let force = Field.number("force_on_belt", .sint16, 1, "N", unknown: [notAvailable])
        let power = power("power_output", unknown: notAvailable)
        return Format(
            [.flags(.uint16, reserved(13...15)), speed.unlessBit(0), averageSpeed.ifBit(1), distance.ifBit(2)]
                + [inclination, ramp("ramp_angle_setting")].map { $0.ifBit(3) } + gain(0.1).map { $0.ifBit(4) }
                + pace("instantaneous_pace", 5) + pace("average_pace", 6) + expenditure(from: 7)
                + [force, power].map { $0.ifBit(12) } + [later])
    }

    /// The raw number for "not available" in fields that share a flag with another field (FTMS, 4.4.1 and 4.5.1).
    private static let notAvailable: Int128 = 0x7FFF

    /// Returns the flags that the specification reserves.
    private static func reserved(_ flags: ClosedRange<Int>) -> BitField {
        .hidden("reserved_flags", flags)
    }

    /// The bytes after the known fields while a reserved flag is set: a later edition may define them.
    private static let later = Field.rest.when("reserved_flags")

    private static let speed = Field.number("instantaneous_speed", .uint16, 0.01, "km/h", kind: .speed)
    private static let averageSpeed = Field.number("average_speed", .uint16, 0.01, "km/h", kind: .speed)
    private static let distance = Field.number("total_distance", .uint24, 1, "m", kind: .totalDistance)
    private static let inclination = Field.number(
        "inclination", .sint16, 0.1, "%", unknown: [notAvailable], kind: .measurement)
    /// The resistance level: two bytes, as in the first edition, in steps of 1.
    ///
    /// Machines do not send the one byte in steps
    /// of 10 that the supplement specifies, and a packet that is cut would look like it.
    private static let resistance = Field.number("resistance_level", .sint16, kind: .measurement)

    private static func ramp(_ name: String) -> Field {
        .number(name, .sint16, 0.1, "°", unknown: [notAvailable], kind: .measurement)
    }

    private static func power(_ name: String, unknown: Int128...) -> Field {
        .number(name, .sint16, 1, "W", unknown: unknown, kind: .power)
    }

    /// Returns the field of a pace: the time for 500 m.
    private static func pace(_ name: String) -> Field {
        .number(name, .uint16, 1, "s", kind: .duration)
    }

    private static func pace(_ name: String, ifBit bit: Int) -> [Field] {
        [pace(name).ifBit(bit)]
    }

    /// Returns the fields of a pace in the layout of the first edition: one byte in steps of 0.1 km/min.
    ///
    /// The pace is 0 while the belt stands still.
    private static func paceInTenths(_ name: String, ifBit bit: Int) -> [Field] {
        let speed = "\(name)_speed"
        return [
            .number(speed, .uint8, 0.1).hidden.ifBit(bit),
            .calculated(name, "if(\(speed), round(30 / \(speed)), 0)", "s", kind: .duration).ifBit(bit),
        ]
    }

    private static func rate(_ name: String, unknown: Int128...) -> Field {
        .number(name, .uint16, 1, "step/min", unknown: unknown, kind: .measurement)
    }

    private static func strokes(_ name: String) -> Field {
        .number(name, .uint8, 0.5, "stroke/min", kind: .measurement)
    }

    private static func cadence(_ name: String) -> Field {
        .number(name, .uint16, 0.5, "rpm", kind: .measurement)
    }

    private static func gain(_ scale: Decimal) -> [Field] {
        ["positive_elevation_gain", "negative_elevation_gain"].map { .number($0, .uint16, scale, "m") }
    }

    /// Returns the last fields of all machines: energy, heart rate, metabolic equivalent and times.
    ///
    /// The three energy fields have the flag `bit`; each later field has the next flag.
    private static func expenditure(from bit: Int) -> [Field] {
        [
            .number("total_energy", .uint16, 1, "kcal", unknown: [0xFFFF], kind: .energy).ifBit(bit),
            .number("energy_per_hour", .uint16, 1, "kcal", unknown: [0xFFFF]).ifBit(bit),
            .number("energy_per_minute", .uint8, 1, "kcal", unknown: [0xFF]).ifBit(bit),
            .number("heart_rate", .uint8, 1, "bpm", kind: .measurement).ifBit(bit + 1),
            .number("metabolic_equivalent", .uint8, 0.1, "MET", kind: .measurement).ifBit(bit + 2),
            .number("elapsed_time", .uint16, 1, "s", kind: .duration).ifBit(bit + 3),
            .number("remaining_time", .uint16, 1, "s", kind: .duration).ifBit(bit + 4),
        ]
    }
}
