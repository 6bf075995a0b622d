package import Codec
import Configuration

/// The properties of a number's entity in Home Assistant: classes, unit, conversion and precision.
package struct SensorTraits: Equatable, Sendable {
    package var deviceClass: String?
    package var stateClass: String?
    package var unit: String?
    /// The factor that converts the value to `unit`.
    package var factor: Decimal?
    /// The number of significant decimal places.
    package var precision: Int?
    /// Whether the number describes the device itself and is not a measurement.
    package var isDiagnostic = false

    /// - Parameters:
    ///   - quantity: the quantity of the number.
    ///   - source: the source of the entity.
    ///   - isOnly: whether the reading has no other quantity, so that the unit and the class that the configuration sets
    ///     apply to this one.
    package init(_ quantity: Quantity, of source: EntitySource, isOnly: Bool) {
        let configuredUnit = isOnly ? source.unit : nil
        let label = source.fieldLabels[quantity.name]
        unit = configuredUnit ?? quantity.unit
        if let deviceClass = (isOnly ? source.deviceClass : nil) ?? label?.deviceClass, Self.isNumeric(deviceClass) {
            self.deviceClass = deviceClass
            stateClass = Self.stateClass(of: deviceClass)
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
        precision =
            label?.precision ?? quantity.step.map { Self.precision(of: $0.multiplied(by: factor ?? 1) ?? $0) }
        if let configured = label?.stateClass { stateClass = configured.rawValue }
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
