extension Quantity {
    /// The physical meaning of a quantity, independent of its unit.
    ///
    /// A quantity without a kind is a setting, a counter or a fact about the device, and not a measurement.
    package enum Kind: Hashable, Sendable {
        /// A measurement that has no case of its own in this enumeration.
        case measurement
        /// A boolean with a known meaning.
        case condition(Condition)

        case airPressure, humidity, illuminance, irradiance, moisture, precipitation, temperature, windDirection,
            windSpeed
        case carbonDioxide, carbonMonoxide, nitrogenDioxide, ozone, sulphurDioxide
        /// Particulate matter up to 1, 2.5, 4 and 10 μm.
        case pm1, pm25, pm4, pm10
        /// Volatile organic compounds, as a mass per volume.
        case volatileCompounds
        /// Volatile organic compounds, as a share of the volume.
        case volatileCompoundParts
        case apparentPower, current, energy, frequency, power, storedEnergy, voltage
        /// The voltage of the battery that supplies the device itself.
        case batteryVoltage
        case battery, signalStrength
        case date, duration
        /// The pressure of a body, a tire or a vessel; `airPressure` is the pressure of the atmosphere.
        case pressure
        case conductivity, distance, glucose, soundPressure, speed, weight
        /// A distance that only grows.
        case totalDistance
        case gas, storedVolume, volume, volumeFlow, water
    }

    /// The meaning of a boolean quantity; the raw values are the names that BTHome version 2 uses.
    package enum Condition: String, Hashable, Sendable {
        case battery, cold, connectivity, door, gas, heat, light, lock, moisture, motion, moving, occupancy, opening,
            plug
        case power, presence, problem, running, safety, smoke, sound, tamper, vibration, window
        case batteryCharging = "battery_charging"
        case carbonMonoxide = "carbon_monoxide"
        case garageDoor = "garage_door"
    }
}

extension Quantity.Condition {
    /// Returns the meaning of a boolean with this name; nil if the name has no known meaning.
    init?(named name: String) {
        guard let condition = Self.synonyms[name] ?? Self(rawValue: name) else { return nil }
        self = condition
    }

    /// The conditions of booleans whose names are not those of BTHome, by name.
    private static let synonyms: [String: Self] = [
        "battery_fault": .problem, "battery_low": .battery, "bottom_submersion": .moisture, "brushing": .running,
        "contact_open": .opening, "critical_power_state": .problem, "device_forcibly_removed": .tamper,
        "door_left_open": .problem, "door_open": .door, "door_stuck": .problem, "gas_detected": .gas,
        "in_motion": .moving,
        "is_light": .light, "is_on": .power, "leak": .moisture, "low_battery": .battery,
        "moisture_detected": .moisture, "motion_detected": .motion, "occupancy_close_range": .occupancy,
        "open": .opening, "power_on": .power, "pressure_present": .occupancy, "pry_the_door": .tamper,
        "tamper_alarm": .tamper,
        "tampered": .tamper, "toothbrush": .running, "top_splash": .moisture,
    ]
}
