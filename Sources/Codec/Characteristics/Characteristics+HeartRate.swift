extension Characteristics {
    static let heartRate: [CharacteristicDefinition] = [
        .record(
            "heart_rate_measurement",
            .bits(
                .uint8, .hidden("is_wide", 0), .shown("sensor_contact", 1).when("sensor_contact_supported"),
                .hidden("sensor_contact_supported", 2), .hidden("energy_expended_present", 3),
                .hidden("rr_intervals_present", 4)),
            .number("heart_rate", .uint8, 1, "bpm", kind: .measurement).unless("is_wide"),
            .number("heart_rate", .uint16, 1, "bpm", kind: .measurement).when("is_wide"),
            .number("energy_expended", .uint16, 1, "kJ", kind: .energy).when("energy_expended_present"),
            .number("rr_intervals", .uint16, 0.0009765625, "s").toTheEnd.when("rr_intervals_present"))
    ]
}
