import Codec

extension Configuration.FieldLabel {
    enum Keys {
        static let deviceClass = Key(
            "device_class", .deviceClass, example: "pressure",
            "The device class of the value in Home Assistant; if left out, that of the unit if only one class is likely, e.g. "
                + "pressure for bar.")
        static let stateClass = Key(
            "state_class", Kind<StateClass>.word, example: "total_increasing",
            "The state class of the number in Home Assistant; if left out, the usual one of its device class, e.g. "
                + "total_increasing for energy.")
        static let precision = Key(
            "precision", .integer(0...6), example: "1",
            "The number of decimal places that Home Assistant shows; if left out, those of scale. The published value does not "
                + "change.")
    }

    /// Reads the label of a field or of bits; nil if no key is set.
    init?(_ reader: MappingReader) {
        self.init(
            deviceClass: reader[Keys.deviceClass], stateClass: reader[Keys.stateClass],
            precision: reader[Keys.precision])
        if deviceClass == nil, stateClass == nil, precision == nil { return nil }
    }

    /// Checks the label of a value.
    func check(_ form: Quantity.Form?, unit: String?, _ reader: MappingReader) {
        let isNumber = form == .number
        if deviceClass != nil, !isNumber, form != .boolean {
            reader.warn(
                "device_class has no effect here: it applies to numbers and booleans only", at: Keys.deviceClass)
        }
        if stateClass != nil, !isNumber {
            reader.warn("state_class has no effect here: it applies to numbers only", at: Keys.stateClass)
        }
        if precision != nil, !isNumber {
            reader.warn("precision has no effect here: it applies to numbers only", at: Keys.precision)
        }
        guard isNumber, let deviceClass else { return }
        if let problem = DeviceClassUnits.problem(with: unit, of: deviceClass) {
            reader.report(problem, at: Keys.deviceClass)
        }
        let allowed = StateClass.allowed(for: deviceClass)
        if let stateClass, !allowed.contains(stateClass) {
            let known = allowed.isEmpty ? "no state class" : allowed.map(\.rawValue).joined(separator: " or ")
            reader.report(
                "expected a state class of the Home Assistant class \(deviceClass) (\(known)), found \(stateClass.rawValue)",
                at: Keys.stateClass)
        }
    }
}
