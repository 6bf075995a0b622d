extension Characteristics {
    /// The characteristics for values without a specific subject.
    ///
    /// Source: GATT Specification Supplement.
    static let generic: [CharacteristicDefinition] = [
        .value("boolean", .boolean),
        // Automation IO Service (1815).
        .number("analog", .uint16, kind: .measurement),
        // The layout of the inputs depends on the other characteristics of the service.
        CharacteristicDefinition("aggregate", [.bytes("aggregate")]),
        .number("coefficient", .float32, kind: .measurement),
        .number("count_16", .uint16, unknown: 0xFFFF, kind: .measurement),
        .number("count_24", .uint24, unknown: 0xFFFFFF, kind: .measurement),
        .number("country_code", .uint16, unknown: 0xFFFF, in: 0...4095),
        .number("generic_level", .uint16, kind: .measurement),
        .number("global_trade_item_number", .uint48, unknown: 0x0),
        .number("percentage_8", .uint8, 0.5, "%", unknown: 0xFF, in: 0...100, kind: .measurement),
        .number("percentage_8_steps", .uint8, unknown: 0xFF, in: 1...200, kind: .measurement),
        .number("cosine_of_the_angle", .sint8, 0.01, unknown: 0x7F, in: -1...1, kind: .measurement),
        .text("fixed_string_16", length: 16),
        .text("fixed_string_24", length: 24),
        .text("fixed_string_36", length: 36),
        .text("fixed_string_8", length: 8),
        .text("fixed_string_64", length: 64),
    ]
}
