internal import Codec
internal import Configuration

/// What Home Assistant has to know of a number: its class, its unit, how to come to that unit, how precise it is.
struct SensorTraits: Equatable, Sendable {
    var deviceClass: String?
    var stateClass: String?
    var unit: String?
    /// By what to multiply for `unit`.
    var factor: Decimal?
    /// How many decimal places tell something.
    var precision: Int?
    /// Whether it is about the device and not about what it measures.
    var isDiagnostic = false

    /// - Parameter isOnly: whether the reading has no other quantity, so that what the configuration says of the
    ///   characteristic is about this one.
    init(_ quantity: Quantity, of source: EntitySource, isOnly: Bool) {
        let configuredUnit = isOnly ? source.unit : nil
        unit = configuredUnit ?? quantity.unit
        if isOnly, let deviceClass = source.deviceClass, Self.isNumeric(deviceClass) {
            self.deviceClass = deviceClass
            stateClass = Self.stateClass(of: deviceClass)
        } else if let known = quantity.homeAssistant {
            deviceClass = known.deviceClass
            stateClass = known.stateClass
        } else if source.isOwnFormat {
            deviceClass = unit.flatMap { Self.classes[$0] }
            stateClass = "measurement"
        } else {
            isDiagnostic = true
        }
        // The class wants another unit than the SIG's.
        if configuredUnit == nil, let known = quantity.homeAssistant, known.deviceClass == deviceClass,
            let conversion = known.conversion
        {
            unit = conversion.unit
            factor = conversion.factor
        }
        if let unit = quantity.unit, let other = quantity.otherUnit, UnitConversion(from: other, to: unit) == nil {
            // It is now the one and now the other, such as a mass or a volume.
            self.unit = nil
            deviceClass = nil
        }
        precision = quantity.step.map { Self.precision(of: $0.multiplied(by: factor ?? 1) ?? $0) }
        if let deviceClass, Self.diagnosticClasses.contains(deviceClass) { isDiagnostic = true }
        fitClassAndUnit()
    }

    /// Does without a class that does not go with the unit: Home Assistant refuses an entity that has both.
    private mutating func fitClassAndUnit() {
        guard let deviceClass else { return }
        let spelled = unit.map(DeviceClassUnits.spelled)
        if DeviceClassUnits.allow(spelled, of: deviceClass) {
            unit = spelled
        } else {
            self.deviceClass = nil
        }
    }

    /// How many decimal places a step of this size moves.
    static func precision(of step: Decimal) -> Int {
        let most = 6
        return (0..<most).first { Decimal(1, exponent: -$0) <= step } ?? most
    }

    private static let diagnosticClasses: Set = ["battery", "signal_strength"]

    /// The classes that a unit of a configured format leaves no doubt about.
    private static let classes = [
        "°C": "temperature", "°F": "temperature", "lx": "illuminance", "V": "voltage", "mV": "voltage",
        "A": "current", "mA": "current", "W": "power", "hPa": "atmospheric_pressure", "dBm": "signal_strength",
    ]

    /// What the numbers of a class are by default: what only grows, an angle, or a measurement.
    private static func stateClass(of deviceClass: String) -> String? {
        switch deviceClass {
        case "energy", "gas", "reactive_energy", "volume", "water": "total_increasing"
        case "monetary": "total"
        case "wind_direction": "measurement_angle"
        default: "measurement"
        }
    }

    /// Whether numbers can be of a class, which Home Assistant refuses otherwise.
    private static func isNumeric(_ deviceClass: String) -> Bool {
        !["date", "enum", "timestamp", "uptime"].contains(deviceClass) && !BinaryClasses.own.contains(deviceClass)
    }
}
