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
            "The number of decimal places that Home Assistant shows; if left out, those of scale, but at most 1 for "
                + "temperature, humidity, hPa and W, 2 for V and A, and 0 for lx, ppm of CO₂ and the battery's percentage. The "
                + "published value does not change.")
        static let step = Key(
            "step", .number(atLeast: Decimal(1, exponent: -3)), example: "5",
            "The difference between two numbers that a person can choose in Home Assistant; the scale if left out. For a "
                + "characteristic with write.")
    }

    /// Reads the classes and the precision of a value; nil if no key is set.
    init?(_ reader: MappingReader) {
        self.init(reader, step: nil, entity: nil)
    }

    /// Reads the label of a field or of bits in a format; nil if no key is set.
    init?(ofField reader: MappingReader) {
        let entity = Configuration.EntityLabel(reader)
        self.init(reader, step: reader[Keys.step], entity: entity.isEmpty ? nil : entity)
    }

    private init?(_ reader: MappingReader, step: Decimal?, entity: Configuration.EntityLabel?) {
        self.init(
            deviceClass: reader[Keys.deviceClass], stateClass: reader[Keys.stateClass],
            precision: reader[Keys.precision], step: step, entity: entity)
        if deviceClass == nil, stateClass == nil, precision == nil, step == nil, entity == nil { return nil }
    }

    /// Returns why a device class has no effect on values of a form; nil if it has.
    static func problem(with deviceClass: String?, of form: Quantity.Form?) -> String? {
        guard let deviceClass else { return nil }
        let form = form ?? .text
        let remedies = [
            "timestamp": "write type: timestamp for seconds since 1970, with scale and offset if necessary",
            "date": "write type: date for days since 1970", "enum": "write values: {0: NAME, 1: NAME}",
            "uptime": "write type: timestamp for the time of the start",
        ]
        switch (form, deviceClass) {
        case (.timestamp, "timestamp"), (.timestamp, "uptime"), (.date, "date"), (.named, "enum"): return nil
        case (_, let name) where remedies[name] != nil:
            return "the Home Assistant class \(name) has no effect here: \(remedies[name] ?? "")"
        case (.number, _): return nil
        case (.boolean, let name):
            if BinaryClasses.all.contains(name) { return nil }
            return "device_class \(name) has no effect here: a boolean has a class of binary sensors, such as door"
        default: return "device_class has no effect here: it applies to numbers and booleans only"
        }
    }

    /// Warns about a state class that the likely device class of the unit does not allow.
    private func checkStateClass(unit: String?, _ reader: MappingReader) {
        guard let stateClass, let unit, let likely = LikelyClass.of(unit: unit) else { return }
        let allowed = StateClass.allowed(for: likely)
        guard let usual = allowed.first, !allowed.contains(stateClass) else { return }
        let other = stateClass == .measurement && likely == "energy" ? ", or device_class: energy_storage" : ""
        reader.warn(
            "\(unit) makes the Home Assistant class \(likely), which does not allow \(stateClass.rawValue): write "
                + "state_class: \(usual.rawValue)\(other); as it is, the entity has no device class",
            at: Keys.stateClass)
    }

    /// Checks the label of a value.
    func check(_ form: Quantity.Form?, unit: String?, _ reader: MappingReader) {
        let isNumber = form == .number
        if let problem = Self.problem(with: deviceClass, of: form) { reader.warn(problem, at: Keys.deviceClass) }
        if stateClass != nil, !isNumber {
            reader.warn("state_class has no effect here: it applies to numbers only", at: Keys.stateClass)
        }
        if precision != nil, !isNumber {
            reader.warn("precision has no effect here: it applies to numbers only", at: Keys.precision)
        }
        if step != nil, !isNumber {
            reader.warn("step has no effect here: it applies to numbers only", at: Keys.step)
        }
        if entity != nil, form == nil {
            typealias Keys = Configuration.EntityLabel.Keys
            func warn<Value>(_ key: Key<Value>) {
                if reader.has(key) { reader.warn("\(key.row.name) has no effect here: the field is hidden", at: key) }
            }
            warn(Keys.title)
            warn(Keys.icon)
            warn(Keys.enabled)
        }
        guard isNumber, let deviceClass else {
            if isNumber { checkStateClass(unit: unit, reader) }
            return
        }
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

extension Quantity {
    /// The form of the values that Home Assistant shows: that of the elements of a list.
    var shownForm: Form { form == .list ? parts.first?.form ?? form : form }
}
