extension Characteristics {
    /// The weather, and the room around a device.
    static let environment: [CharacteristicDefinition] = [
        .number(
            "temperature", .sint16, 0.01, "°C", unknown: -0x8000, in: -273.15...327.67, homeAssistant: .temperature),
        .number("temperature_8", .sint8, 0.5, "°C", unknown: 0x7F, homeAssistant: .temperature),
        .number(
            "high_temperature", .sint16, 0.5, "°C", unknown: -0x8000, -0x7FFF, in: -273...16383.5,
            homeAssistant: .temperature),
        .number(
            "cooking_temperature", .sint16, 0.1, "°C", unknown: -0x8000, in: -100...1000, homeAssistant: .temperature),
        .number("dew_point", .sint8, "°C", homeAssistant: .temperature),
        .number("wind_chill", .sint8, "°C", homeAssistant: .temperature),
        .number("heat_index", .sint8, "°C", homeAssistant: .temperature),
        .number("humidity", .uint16, 0.01, "%", unknown: 0xFFFF, in: 0...100, homeAssistant: .humidity),
        .number("humidity_8", .uint8, 0.5, "%", unknown: 0xFF, in: 0...100, homeAssistant: .humidity),
        .number("pressure", .uint32, 0.1, "Pa", homeAssistant: .pressure),
        .names(
            "barometric_pressure_trend", from: 1,
            """
            continuously_falling continuously_rising falling_then_steady rising_then_steady
            falling_before_lesser_rise falling_before_greater_rise rising_before_greater_fall
            rising_before_lesser_fall steady
            """, unknown: 0),
        .number("elevation", .sint24, 0.01, "m", homeAssistant: .distance),
        .number("true_wind_speed", .uint16, 0.01, "m/s", homeAssistant: .windSpeed),
        .number("true_wind_direction", .uint16, 0.01, "°", in: 0...359.99, homeAssistant: .windDirection),
        .number("apparent_wind_speed", .uint16, 0.01, "m/s", homeAssistant: .windSpeed),
        .number("apparent_wind_direction", .uint16, 0.01, "°", in: 0...359.99, homeAssistant: .windDirection),
        .number("gust_factor", .uint8, 0.1, homeAssistant: .plain),
        .number("pollen_concentration", .uint24, "1/m³", homeAssistant: .plain),
        .number("uv_index", .uint8, homeAssistant: .plain),
        .number("irradiance", .uint16, 0.1, "W/m²", homeAssistant: .irradiance),
        .number("rainfall", .uint16, 0.001, "m", homeAssistant: .precipitation),
        .number("magnetic_declination", .uint16, 0.01, "°", in: 0...359.99, homeAssistant: .plain),
        .number("noise", .uint8, "dB", unknown: 0xFF, 0xFE, homeAssistant: .soundPressure),
        .names("door_window_status", "open closed tilted"),
    ]
}
