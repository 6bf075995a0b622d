import Codec

/// Checks of the keys `adjust` and `derive`.
extension Configuration.DeviceSettingsEntry {
    /// Reports names that no value of the device has, and topics that two values would share.
    ///
    /// The quantities of built-in advertisement formats are known only after the first packet: for a device whose
    /// advertisements are read, unknown names are not reported.
    func checkValues(_ reader: MappingReader) {
        let known = Set(valueNames)
        var derived: Set<String> = []
        for entry in adjusted where !settings.listensToAdvertisements {
            report(entry.name, at: entry.position, among: known, reader.mistakes)
            guard case .formula(let formula) = entry.value else { continue }
            let fields = known.compactMap { name in name.hasPrefix(owner(of: entry.name) + ".") ? name : nil }
                .map { String($0.dropFirst(owner(of: entry.name).utf8.count + 1)) }
            for name in formula.names.sorted() where name != "value" {
                report(name, at: entry.position, among: known.union(fields), reader.mistakes)
            }
        }
        for entry in self.derived {
            if !settings.listensToAdvertisements {
                for name in entry.value.formula.names.sorted() where !isNumbered(name) {
                    let examples = numberedNames.map { owner(of: $0) + "_1" + $0.dropFirst(owner(of: $0).count) }
                    let names = known.subtracting(numberedNames).union(derived).union(examples)
                    report(name, at: entry.position, among: names, reader.mistakes)
                }
            }
            derived.insert(entry.name)
            guard
                characteristics.contains(where: { $0.name == entry.name })
                    || advertised.contains(where: { $0.value == entry.name })
            else { continue }
            reader.mistakes.report(
                "\(entry.name.quotedForMessage) is also a value of the device and would share its topic: rename one",
                at: entry.position)
        }
    }

    private func report(_ name: String, at position: Position, among known: Set<String>, _ mistakes: Mistakes) {
        guard !known.contains(name) else { return }
        if settings.parameters[name] == nil {
            mistakes.reportUnknown("value", name, among: known.sorted(), at: position)
        } else {
            mistakes.report(
                "the parameter \(name.quotedForMessage) is a text: a formula of numbers needs a number", at: position)
        }
    }

    /// The name of the characteristic in CHARACTERISTIC.FIELD.
    private func owner(of name: String) -> String {
        characteristics.map(\.name).filter { name == $0 || name.hasPrefix($0 + ".") }.max { $0.count < $1.count }
            ?? name
    }

    /// The names of the values in formulas, as far as they are known before the first packet.
    private var valueNames: [String] {
        characteristics.flatMap { Self.valueNames(of: $0) } + advertised.map(\.value)
    }

    static func valueNames(of entry: Named<Configuration.Characteristic?>) -> [String] {
        guard let format = entry.value?.meaning, !format.hasOneValue else { return [entry.name] }
        return format.quantities.map { "\(entry.name).\($0.name)" }
    }

    /// The names of the values that arrive once for each number of a series: derived values use those of single numbers.
    private var numberedNames: [String] {
        characteristics.filter { $0.value?.isNumbered == true }.flatMap { Self.valueNames(of: $0) }
    }

    /// Returns whether a name is that of a value with a number of a series, such as `pack_2.voltage`.
    private func isNumbered(_ name: String) -> Bool {
        numberedNames.contains { numbered in
            let owner = owner(of: numbered)
            guard name.hasPrefix(owner + "_"), name.hasSuffix(numbered.dropFirst(owner.count)) else { return false }
            return Int(digits: name.dropFirst(owner.count + 1).dropLast(numbered.count - owner.count)) != nil
        }
    }
}
