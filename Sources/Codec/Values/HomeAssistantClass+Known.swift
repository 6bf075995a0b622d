/// The classes that Home Assistant 2024.12 and later know, for the SIG's quantities.
extension HomeAssistantClass {
    /// A number without a class.
    static let plain = Self(nil)
    static let temperature = Self("temperature")
    static let humidity = Self("humidity")
    static let airPressure = Self("atmospheric_pressure")
    static let pressure = Self("atmospheric_pressure", unit: "hPa", factor: 0.01)
    static let battery = Self("battery")
    static let signalStrength = Self("signal_strength")
    static let distance = Self("distance")
    static let windSpeed = Self("wind_speed")
    // `wind_direction` came after 2024.12, and Home Assistant refuses a sensor whose class it does not know.
    static let windDirection = plain
    static let irradiance = Self("irradiance")
    static let precipitation = Self("precipitation", "total", unit: "mm", factor: 1000)
    static let precipitationInMillimetres = Self("precipitation", "total")
    static let illuminance = Self("illuminance")
    static let soundPressure = Self("sound_pressure")
    static let duration = Self("duration")
    static let date = Self("date", nil)
    static let weight = Self("weight")
    static let speed = Self("speed")
    static let totalDistance = Self("distance", "total_increasing")
    /// The pressure of a body, not of the air.
    static let bodyPressure = Self("pressure")
    static let glucose = Self("blood_glucose_concentration")

    static let current = Self("current")
    static let voltage = Self("voltage")
    static let power = Self("power")
    static let apparentPower = Self("apparent_power")
    static let energy = Self("energy", "total_increasing")
    static let storedEnergy = Self("energy_storage")
    static let frequency = Self("frequency")
    static let volumeFlow = Self("volume_flow_rate")

    static let gas = Self("gas", "total_increasing")
    static let water = Self("water", "total_increasing")
    static let volume = Self("volume", "total")
    static let storedVolume = Self("volume_storage")
    static let conductivity = Self("conductivity")
    static let moisture = Self("moisture")

    static let carbonDioxide = Self("carbon_dioxide")
    static let volatileParts = Self("volatile_organic_compounds_parts")
    static let carbonMonoxide = Self("carbon_monoxide", unit: "mg/m³", factor: 1_000_000)
    static let nitrogenDioxide = Self("nitrogen_dioxide")
    static let ozone = Self("ozone")
    static let sulphurDioxide = Self("sulphur_dioxide")
    static let volatile = Self("volatile_organic_compounds")
    static let pm1 = Self("pm1")
    static let pm25 = Self("pm25")
    // `pm4` came after 2024.12 too.
    static let pm4 = plain
    static let pm10 = Self("pm10")

    /// The same class for a concentration that comes in kg/m³. The μ is U+03BC, as Home Assistant compares units
    /// exactly.
    var fromKilograms: Self {
        Self(deviceClass, unit: "μg/m³", factor: 1_000_000_000)
    }
}
