import Codec

extension Kind where Value == String {
    /// A device class of sensors, binary sensors or numbers in Home Assistant.
    ///
    /// Home Assistant rejects an entity with an unknown class.
    static var deviceClass: Kind {
        text.map("device class") { text throws(InvalidValue) in
            if deviceClasses.contains(text) { return text }
            if let nearest = text.lowercased().nearest(in: deviceClasses) {
                throw "unknown device class \(text.quotedForMessage): did you mean \(nearest.quotedForMessage)?"
            }
            throw InvalidValue(unknown: "device class", text, among: deviceClasses)
        }
    }
}

/// The device classes of Home Assistant 2026.11.
private let deviceClasses = """
        absolute_humidity apparent_power aqi area atmospheric_pressure battery battery_charging
        blood_glucose_concentration carbon_dioxide carbon_monoxide cold conductivity connectivity current
        data_rate data_size date distance door duration energy energy_distance energy_storage enum frequency
        garage_door gas glass_break heat humidity illuminance irradiance light lock moisture monetary motion
        moving nitrogen_dioxide nitrogen_monoxide nitrous_oxide occupancy opening ozone ph plug pm1 pm10
        pm25 pm4 power power_factor precipitation precipitation_intensity presence pressure problem radon
        reactive_energy reactive_power running safety signal_strength smoke sound sound_pressure speed
        sulphur_dioxide tamper temperature temperature_delta timestamp update uptime vibration
        volatile_organic_compounds volatile_organic_compounds_parts voltage volume volume_flow_rate
        volume_storage water weight wind_direction wind_speed window
    """.split(whereSeparator: \.isWhitespace).map(String.init)
