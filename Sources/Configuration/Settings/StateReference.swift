package import Codec

extension Configuration {
    /// The characteristic whose values are the state of a writable one, for example of a relay with its own button.
    package struct StateReference: Sendable, Equatable {
        package let characteristic: Characteristic
        /// The field in `NAME.FIELD`; nil: the field with the name of the written one, or the only value.
        package let field: String?

        /// Finds the characteristic and the field that the key `state` names; nil if there is no such characteristic.
        package init?(_ name: String, among characteristics: [Characteristic]) {
            let found = characteristics.filter { name == $0.name || name.hasPrefix($0.name + ".") }
            guard let characteristic = found.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
            self.characteristic = characteristic
            field = name == characteristic.name ? nil : String(name.dropFirst(characteristic.name.count + 1))
        }

        /// Returns the quantity that is the state of a written quantity; nil if no field corresponds to it.
        ///
        /// - Parameters:
        ///   - written: The written quantity.
        ///   - isOnly: Whether it is the whole written value.
        ///   - format: The format of the state.
        /// - Returns: The quantity of the state.
        package func quantity(of written: Quantity, isOnly: Bool, in format: Format) -> Quantity? {
            let quantities = format.quantities
            if let field { return quantities.first { $0.name == field } }
            return quantities.first { $0.name == written.name }
                ?? (isOnly && quantities.count == 1 ? quantities.first : nil)
        }
    }
}

extension Configuration.DeviceSettings {
    /// Returns the values that are the state of a writable characteristic; nil: its own ones.
    package func state(of characteristic: Configuration.Characteristic) -> Configuration.StateReference? {
        guard characteristic.write != nil, let name = characteristic.state else { return nil }
        return Configuration.StateReference(name, among: characteristics)
    }
}

extension Configuration.Characteristic {
    /// The quantities that a command can write one by one, or the only value.
    fileprivate var writtenQuantities: [Quantity] {
        guard let format = meaning else { return [] }
        if format.hasOneValue { return format.quantities }
        // The argument of an operation has a state, too.
        let changeable = format.changeableQuantities
        return changeable.isEmpty ? format.conditionalQuantities : changeable
    }

    /// Returns why the values of another characteristic cannot be the state of this one; nil if they can, or if a format is
    /// not known.
    package func problem(with state: Configuration.StateReference) -> String? {
        let other = state.characteristic
        if other.name == name { return "a characteristic is its own state: name another one, or remove state" }
        if !other.subscribe, other.read == nil {
            return "\(other.name.quotedForMessage) is neither read nor subscribed: add subscribe: true to it"
        }
        guard let format = meaning, let shown = other.meaning else { return nil }
        if let field = state.field, !shown.quantities.contains(where: { $0.name == field }) {
            let names = shown.quantities.map(\.name)
            let advice = field.nearest(in: names).map { "did you mean \($0.quotedForMessage)?" }
            return "\(other.name.quotedForMessage) has no field \(field.quotedForMessage): "
                + (advice ?? "its fields are \(names.joined(separator: ", "))")
        }
        let pairs = writtenQuantities.compactMap { written in
            state.quantity(of: written, isOnly: format.hasOneValue, in: shown).map { (written, $0) }
        }
        guard !pairs.isEmpty else {
            let fields = shown.quantities.map { "\(other.name).\($0.name)" }.joined(separator: ", ")
            return
                "\(other.name.quotedForMessage) has no field with the name of a written one: name the field, e.g. \(fields)"
        }
        return pairs.lazy.compactMap { written, shown in
            shown.problem(asStateOf: written, unit: format.hasOneValue ? self.unit : nil, other.unit)
        }.first
    }
}

extension Quantity {
    /// Returns why this quantity cannot be the state of a written one; nil if it can.
    ///
    /// - Parameters:
    ///   - written: The written quantity.
    ///   - unit: The configured unit of the written quantity; nil: that of its format.
    ///   - ownUnit: The configured unit of this quantity; nil: that of its format.
    /// - Returns: The reason.
    fileprivate func problem(asStateOf written: Quantity, unit: String?, _ ownUnit: String?) -> String? {
        switch (written.form, form) {
        case (.boolean, .boolean), (.text, .text), (.bytes, .bytes), (.date, .date), (.dateTime, .dateTime),
            (.timestamp, .timestamp):
            return nil
        case (.number, .number):
            let (wanted, found) = (unit ?? written.unit, ownUnit ?? self.unit)
            if wanted == found { return nil }
            return
                "the state is in \(found ?? "no unit"), the command in \(wanted ?? "no unit"): both need the same unit"
        case (.named(let names), .named(let others)):
            if names.count == 1 { return "a value with one name is a button, which has no state: remove state" }
            let strange = others.filter { !names.contains($0) }
            if strange.isEmpty { return nil }
            return "the command cannot take the value \(strange[0].quotedForMessage) of the state: its values are "
                + names.joined(separator: ", ")
        default:
            return
                "\(name.quotedForMessage) is \(form.summary), the command takes \(written.form.summary): both need the "
                + "same form"
        }
    }
}

extension Quantity.Form {
    /// The form in words, for messages.
    fileprivate var summary: String {
        switch self {
        case .boolean: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .bytes: "bytes"
        case .date: "a date"
        case .dateTime, .timestamp: "a date and time"
        case .named(let names): "one of \(names.prefix(5).joined(separator: ", "))"
        case .list: "a list"
        case .record: "a record"
        }
    }
}
