extension Characteristics {
    /// The characteristics for the place of a device in a building.
    ///
    /// Source: Indoor Positioning Service (1821).
    static let indoorPositioning: [CharacteristicDefinition] = [
        .conditions(
            "indoor_positioning_configuration", .uint8,
            """
            coordinates_in_advertisements local_coordinates tx_power_in_advertisements altitude_in_advertisements
            floor_number_in_advertisements uncertainty_in_advertisements location_name_available
            """),
        .number("latitude", .sint32, 0.0000001, "°", in: -90...90, kind: .measurement),
        .number("longitude", .sint32, 0.0000001, "°", in: -180...180, kind: .measurement),
        .number("local_north_coordinate", .sint16, 0.1, "m", unknown: -0x8000, kind: .measurement),
        .number("local_east_coordinate", .sint16, 0.1, "m", unknown: -0x8000, kind: .measurement),
        // 253 and 254 are a ground floor and a top floor of unknown number.
        Self.offset("floor_number", .uint8, 1, nil, offset: -20, unknown: [253, 254, 255]),
        Self.offset("altitude", .uint16, 0.1, "m", offset: -100, unknown: [0xFFFE, 0xFFFF]),
        .record(
            "uncertainty",
            .bits(
                .uint8, .names("stationary", 0...0, .reserved("stationary mobile")), BitField("update_time", 1...3),
                BitField("precision", 4...6))),
        .text("location_name"),
    ]

    private static func offset(
        _ name: String, _ type: NumberType, _ scale: Decimal, _ unit: String?, offset: Decimal, unknown: [Int128]
    ) -> CharacteristicDefinition {
        CharacteristicDefinition(
            name, [.number(name, type, scale, unit, offset: offset, unknown: unknown, kind: .measurement)])
    }
}
