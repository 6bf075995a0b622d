extension Characteristics {
    /// The characteristics for body temperature.
    ///
    /// Source: GATT Specification Supplement; Health Thermometer Service (1809).
    static let thermometer: [CharacteristicDefinition] = [
        .record("temperature_measurement", flags, temperature, [timeStamp.ifBit(1), type.ifBit(2)]),
        .record("intermediate_temperature", flags, temperature, [timeStamp.ifBit(1), type.ifBit(2)]),
    ]

    private static let flags = [Field.flags(.uint8, .names("unit", 0...0, .units("°C °F")))]
    private static let temperature = Field.either(
        "temperature", .medfloat32, 1, "°C", or: 1, "°F", flag: "unit", kind: .temperature)
    private static let type = Field.scalar("temperature_type", like: "temperature_type")
}
