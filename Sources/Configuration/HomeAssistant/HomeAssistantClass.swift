package import Codec

/// The `device_class` and `state_class` of an MQTT entity of Home Assistant.
package struct HomeAssistantClass: Hashable, Sendable {
    package let deviceClass: String?
    package let stateClass: String?
    /// The conversion to a unit that the class allows; nil if the values are published in the quantity's own unit.
    package let conversion: Conversion?

    package struct Conversion: Hashable, Sendable {
        package let unit: String
        /// The number by which a value in the quantity's own unit is multiplied.
        package let factor: Decimal
    }
}

extension HomeAssistantClass {
    /// Creates the class for a kind of quantity, as defined by Home Assistant 2024.12 and later.
    ///
    /// The unit of the quantity determines whether a conversion is necessary.
    package init(_ kind: Quantity.Kind, unit: String?) {
        let (deviceClass, stateClass) = Self.names(of: kind)
        self.init(
            deviceClass: deviceClass, stateClass: stateClass, conversion: Self.conversion(of: kind, from: unit))
    }

    private static func names(of kind: Quantity.Kind) -> (deviceClass: String?, stateClass: String?) {
        switch kind {
        case .condition(let condition): (condition.rawValue, nil)
        // Home Assistant rejects an entity with an unknown class: `wind_direction` and `pm4` were added after 2024.12.
        case .measurement, .windDirection, .pm4: (nil, "measurement")
        case .date: ("date", nil)
        case .energy: ("energy", "total_increasing")
        case .gas: ("gas", "total_increasing")
        case .water: ("water", "total_increasing")
        case .totalDistance: ("distance", "total_increasing")
        case .precipitation: ("precipitation", "total")
        case .volume: ("volume", "total")
        case .airPressure: ("atmospheric_pressure", "measurement")
        case .apparentPower: ("apparent_power", "measurement")
        case .battery: ("battery", "measurement")
        case .carbonDioxide: ("carbon_dioxide", "measurement")
        case .carbonMonoxide: ("carbon_monoxide", "measurement")
        case .conductivity: ("conductivity", "measurement")
        case .current: ("current", "measurement")
        case .distance: ("distance", "measurement")
        case .duration: ("duration", "measurement")
        case .frequency: ("frequency", "measurement")
        case .glucose: ("blood_glucose_concentration", "measurement")
        case .humidity: ("humidity", "measurement")
        case .illuminance: ("illuminance", "measurement")
        case .irradiance: ("irradiance", "measurement")
        case .moisture: ("moisture", "measurement")
        case .nitrogenDioxide: ("nitrogen_dioxide", "measurement")
        case .ozone: ("ozone", "measurement")
        case .pm1: ("pm1", "measurement")
        case .pm10: ("pm10", "measurement")
        case .pm25: ("pm25", "measurement")
        case .power: ("power", "measurement")
        case .pressure: ("pressure", "measurement")
        case .signalStrength: ("signal_strength", "measurement")
        case .soundPressure: ("sound_pressure", "measurement")
        case .speed: ("speed", "measurement")
        case .storedEnergy: ("energy_storage", "measurement")
        case .storedVolume: ("volume_storage", "measurement")
        case .sulphurDioxide: ("sulphur_dioxide", "measurement")
        case .temperature: ("temperature", "measurement")
        case .voltage, .batteryVoltage: ("voltage", "measurement")
        case .volatileCompoundParts: ("volatile_organic_compounds_parts", "measurement")
        case .volatileCompounds: ("volatile_organic_compounds", "measurement")
        case .volumeFlow: ("volume_flow_rate", "measurement")
        case .weight: ("weight", "measurement")
        case .windSpeed: ("wind_speed", "measurement")
        }
    }

    private static func conversion(of kind: Quantity.Kind, from unit: String?) -> Conversion? {
        switch (kind, unit) {
        case (.airPressure, "Pa"): Conversion(unit: "hPa", factor: 0.01)
        case (.precipitation, "m"): Conversion(unit: "mm", factor: 1000)
        case (.carbonMonoxide, "kg/m³"): Conversion(unit: "mg/m³", factor: 1_000_000)
        // Home Assistant compares units exactly: this μ is U+03BC.
        case (.nitrogenDioxide, "kg/m³"), (.ozone, "kg/m³"), (.sulphurDioxide, "kg/m³"),
            (.volatileCompounds, "kg/m³"), (.pm1, "kg/m³"), (.pm25, "kg/m³"), (.pm10, "kg/m³"):
            Conversion(unit: "μg/m³", factor: 1_000_000_000)
        default: nil
        }
    }
}

extension Quantity {
    /// The class of the quantity in Home Assistant; nil for a quantity without a kind.
    package var homeAssistant: HomeAssistantClass? {
        kind.map { HomeAssistantClass($0, unit: unit) }
    }
}
