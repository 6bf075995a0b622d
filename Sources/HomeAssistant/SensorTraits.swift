package import Codec
package import Configuration

/// The properties of a number's entity in Home Assistant: classes, unit, conversion and precision.
package struct SensorTraits: Equatable, Sendable {
    package var deviceClass: String?
    package var stateClass: String?
    package var unit: String?
    /// The factor that converts the value to `unit`.
    package var factor: Decimal?
    /// The number of significant decimal places.
    package var precision: Int?
    /// The number of decimal places of the number itself; nil if there is no fixed step.
    private(set) var places: Int?
    /// Whether the number describes the device itself and is not a measurement.
    package var isDiagnostic = false

    /// - Parameters:
    ///   - quantity: the quantity of the number.
    ///   - source: the source of the entity.
    ///   - isOnly: whether the reading has no other quantity, so that the unit and the class that the configuration sets
    ///     apply to this one.
    ///   - label: the classes and the precision of the configuration.
    package init(
        _ quantity: Quantity, of source: EntitySource, isOnly: Bool, label: Configuration.FieldLabel?
    ) {
        let configuredUnit = isOnly ? source.unit : nil
        unit = configuredUnit ?? quantity.unit
        if let deviceClass = (isOnly ? source.deviceClass : nil) ?? label?.deviceClass {
            // A class of other values does not fit a number, and neither does the usual class of the unit.
            self.deviceClass = Self.isNumeric(deviceClass) ? deviceClass : nil
            stateClass = self.deviceClass.map(Self.stateClass) ?? "measurement"
        } else if let known = quantity.homeAssistant {
            deviceClass = known.deviceClass
            stateClass = known.stateClass
        } else if source.isOwnFormat {
            deviceClass = unit.flatMap(LikelyClass.of)
            stateClass = deviceClass.map(Self.stateClass) ?? "measurement"
        } else {
            isDiagnostic = true
        }
        // Home Assistant requires another unit for the device class than the Bluetooth SIG for the characteristic.
        if configuredUnit == nil, let known = quantity.homeAssistant, known.deviceClass == deviceClass,
            let conversion = known.conversion
        {
            unit = conversion.unit
            factor = conversion.factor
        }
        if let unit = quantity.unit, let other = quantity.otherUnit, UnitConversion(from: other, to: unit) == nil {
            // The unit differs between readings, for example a mass or a volume.
            self.unit = nil
            deviceClass = nil
        }
        places = quantity.step.map { Self.precision(of: $0.multiplied(by: factor ?? 1) ?? $0) }
        let usual = deviceClass.flatMap { Self.usualPrecision(of: $0, in: unit) }
        precision = label?.precision ?? [places, usual].compactMap { $0 }.min()
        if let configured = label?.stateClass {
            // Home Assistant refuses statistics of a class that does not allow the state class.
            let allowed = deviceClass.map(Configuration.FieldLabel.StateClass.allowed)
            if allowed?.contains(configured) == false { deviceClass = nil }
            stateClass = configured.rawValue
        }
        if quantity.kind == .batteryVoltage || Self.isBatteryVoltage(quantity, deviceClass, of: source, isOnly: isOnly)
        {
            isDiagnostic = true
        }
        if let deviceClass, Self.diagnosticClasses.contains(deviceClass) { isDiagnostic = true }
        fitClassAndUnit()
    }

    /// Drops a device class that does not allow the unit: Home Assistant rejects an entity with such a pair.
    private mutating func fitClassAndUnit() {
        guard let deviceClass else { return }
        let spelled = unit.map(DeviceClassUnits.spelled)
        if DeviceClassUnits.allow(spelled, of: deviceClass) {
            unit = spelled
        } else {
            self.deviceClass = nil
        }
    }

    /// Describes the difference of two values instead of a value.
    ///
    /// All places count, because the difference of two cells of a battery is some mV.
    mutating func describeDifference(_ label: Configuration.FieldLabel?) {
        stateClass = "measurement"
        precision = label?.precision ?? places
        // A level or a position is not a difference: Home Assistant would convert 1 °C to 33.8 °F.
        if let deviceClass, !Self.amounts.contains(deviceClass) { self.deviceClass = nil }
    }

    /// The device classes whose differences have the same class, and that allow the state class `measurement`.
    private static let amounts: Set = [
        "apparent_power", "conductivity", "current", "distance", "duration", "frequency", "power", "precipitation",
        "pressure", "speed", "voltage", "weight", "wind_speed",
    ]

    /// Returns whether a value of a configured format is the voltage of the device's battery, by its name.
    private static func isBatteryVoltage(
        _ quantity: Quantity, _ deviceClass: String?, of source: EntitySource, isOnly: Bool
    ) -> Bool {
        guard source.isOwnFormat, deviceClass == "voltage" else { return false }
        let names = isOnly ? [quantity.name, source.name] : [quantity.name]
        return names.flatMap(EntityNames.words).contains("battery")
    }

    /// Returns the number of decimal places that a person reads; nil if all places of the number matter.
    ///
    /// Sensors report more places than they measure, e.g. 18.420 °C. Home Assistant's own integrations show these places.
    private static func usualPrecision(of deviceClass: String, in unit: String?) -> Int? {
        switch (deviceClass, unit) {
        case ("temperature", _), ("humidity", _), ("moisture", _): 1
        case ("atmospheric_pressure", "hPa"), ("atmospheric_pressure", "mbar"), ("pressure", "hPa"),
            ("pressure", "mbar"):
            1
        case ("voltage", "V"), ("current", "A"): 2
        case ("power", "W"), ("apparent_power", "VA"), ("reactive_power", "var"): 1
        case ("battery", _), ("carbon_dioxide", _), ("illuminance", _), ("signal_strength", _): 0
        default: nil
        }
    }

    /// Returns the number of decimal places that a step of this size changes.
    package static func precision(of step: Decimal) -> Int {
        let most = 6
        return (0..<most).first { Decimal(1, exponent: -$0) <= step } ?? most
    }

    private static let diagnosticClasses: Set = ["battery", "signal_strength"]

    /// Returns the default state class of a device class.
    private static func stateClass(of deviceClass: String) -> String {
        (Configuration.FieldLabel.StateClass.allowed(for: deviceClass).first ?? .measurement).rawValue
    }

    /// Returns whether Home Assistant accepts a number with a device class.
    private static func isNumeric(_ deviceClass: String) -> Bool {
        !["date", "enum", "timestamp", "uptime"].contains(deviceClass) && !BinaryClasses.own.contains(deviceClass)
    }
}
