import Codec

extension Kind where Value == String {
    /// A device class of sensors, binary sensors or numbers in Home Assistant.
    ///
    /// Home Assistant rejects an entity with an unknown class.
    static var deviceClass: Kind {
        text.map("device class") { text throws(InvalidValue) in
            if deviceClasses.contains(text) { return text }
            if ["none", "null", "false", "no"].contains(text.lowercased()) {
                throw "unknown device class \(text.quotedForMessage): remove the key"
            }
            if let meant = classesElsewhere[text.lowercased().filter { !" _-.".contains($0) }] {
                throw "unknown device class \(text.quotedForMessage): did you mean \(meant.quotedForMessage)?"
            }
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

/// The device classes, by names of other programs in lower case without spaces, hyphens, underscores and points.
private let classesElsewhere = [
    "temp": "temperature", "dewpoint": "temperature", "contact": "opening", "leak": "moisture", "flood": "moisture",
    "wet": "moisture", "waterleak": "moisture", "soilmoisture": "moisture", "co2": "carbon_dioxide",
    "co": "carbon_monoxide", "lux": "illuminance", "brightness": "illuminance", "lightlevel": "illuminance",
    "rssi": "signal_strength", "signal": "signal_strength", "rain": "precipitation", "rainfall": "precipitation",
    "rh": "humidity", "voc": "volatile_organic_compounds", "tvoc": "volatile_organic_compounds",
    "mass": "weight", "alarm": "problem", "error": "problem", "fault": "problem", "pir": "motion",
    "charging": "battery_charging", "batterylevel": "battery", "soc": "battery", "batteryvoltage": "voltage",
    "barometer": "atmospheric_pressure", "airpressure": "atmospheric_pressure",
    "barometricpressure": "atmospheric_pressure", "flow": "volume_flow_rate", "frost": "cold",
    "o3": "ozone", "no2": "nitrogen_dioxide", "so2": "sulphur_dioxide",
    "wind": "wind_speed", "time": "timestamp", "datetime": "timestamp", "noise": "sound_pressure",
    "present": "presence", "occupied": "occupancy",
    "amperage": "current", "wattage": "power", "consumption": "energy",
]
