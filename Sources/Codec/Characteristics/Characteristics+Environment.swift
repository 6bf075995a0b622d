extension Characteristics {
    /// The characteristics for the weather and for the climate of a room.
    ///
    /// Source: GATT Specification Supplement; Environmental Sensing Service (181A).
    static let environment: [CharacteristicDefinition] = [
        .number(
            "temperature", .sint16, 0.01, "°C", unknown: -0x8000, in: -273.15...327.67, kind: .temperature),
        .number("temperature_8", .sint8, 0.5, "°C", unknown: 0x7F, kind: .temperature),
        .number(
            "high_temperature", .sint16, 0.5, "°C", unknown: -0x8000, -0x7FFF, in: -273...16383.5,
            kind: .temperature),
        .number(
            "cooking_temperature", .sint16, 0.1, "°C", unknown: -0x8000, in: -100...1000, kind: .temperature),
        .number("dew_point", .sint8, "°C", kind: .temperature),
        .number("wind_chill", .sint8, "°C", kind: .temperature),
        .number("heat_index", .sint8, "°C", kind: .temperature),
        .number("humidity", .uint16, 0.01, "%", unknown: 0xFFFF, in: 0...100, kind: .humidity),
        .number("humidity_8", .uint8, 0.5, "%", unknown: 0xFF, in: 0...100, kind: .humidity),
        .number("pressure", .uint32, 0.1, "Pa", kind: .airPressure),
        .names(
            "barometric_pressure_trend", from: 1,
            """
            continuously_falling continuously_rising falling_then_steady rising_then_steady
            falling_before_lesser_rise falling_before_greater_rise rising_before_greater_fall
            rising_before_lesser_fall steady
            """, unknown: 0),
        .number("elevation", .sint24, 0.01, "m", kind: .distance),
        .number("true_wind_speed", .uint16, 0.01, "m/s", kind: .windSpeed),
        .number("true_wind_direction", .uint16, 0.01, "°", in: 0...359.99, kind: .windDirection),
        .number("apparent_wind_speed", .uint16, 0.01, "m/s", kind: .windSpeed),
        .number("apparent_wind_direction", .uint16, 0.01, "°", in: 0...359.99, kind: .windDirection),
        .number("gust_factor", .uint8, 0.1, kind: .measurement),
        .number("pollen_concentration", .uint24, "1/m³", kind: .measurement),
        .number("uv_index", .uint8, kind: .measurement),
        .number("irradiance", .uint16, 0.1, "W/m²", kind: .irradiance),
        .number("rainfall", .uint16, 0.001, "m", kind: .precipitation),
        .number("magnetic_declination", .uint16, 0.01, "°", in: 0...359.99, kind: .measurement),
        .number("noise", .uint8, "dB", unknown: 0xFF, 0xFE, kind: .soundPressure),
        .names("door_window_status", "open closed tilted"),
    ]
}
