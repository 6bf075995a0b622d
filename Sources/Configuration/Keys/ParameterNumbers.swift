import Codec

/// The numbers of the key `with` that the formulas of `adjust` and `derive` use by their names.
///
/// A value of the device comes before a parameter with the same name.
struct ParameterNumbers {
    private let parameters: Environment
    private let values: Set<String>
    /// CHARACTERISTIC.FIELD of each field.
    private let fields: [String]

    init(
        _ parameters: Environment, beside characteristics: [Named<Configuration.Characteristic?>],
        _ advertised: [Located<String>], readsAdvertisements: Bool
    ) {
        self.parameters = parameters
        let names = characteristics.flatMap { Configuration.DeviceSettingsEntry.valueNames(of: $0) }
        fields = names.filter { $0.contains(".") }
        values = Set(names + advertised.map(\.value)).union(readsAdvertisements ? Advertisements.quantityNames : [])
    }

    /// Returns corrections with numbers in the place of parameters.
    func replaced(in entries: [Named<Configuration.Adjustment.Rule>]) -> [Named<Configuration.Adjustment.Rule>] {
        entries.map { entry in
            guard case .formula(let formula) = entry.value else { return entry }
            // A correction names the other fields of its characteristic without the name of the characteristic.
            let owner = entry.name[..<(entry.name.lastIndex(of: ".") ?? entry.name.endIndex)] + "."
            let others = fields.filter { $0.hasPrefix(owner) }.map { String($0.dropFirst(owner.count)) } + ["value"]
            return Named(
                name: entry.name, position: entry.position,
                value: .formula(replaced(in: formula, except: Set(others))))
        }
    }

    /// Returns derived values with numbers in the place of parameters.
    func replaced(in entries: [Named<Configuration.DerivedValue>]) -> [Named<Configuration.DerivedValue>] {
        let derived = Set(entries.map(\.name))
        return entries.map { entry in
            Named(
                name: entry.name, position: entry.position,
                value: entry.value.with(formula: replaced(in: entry.value.formula, except: derived)))
        }
    }

    private func replaced(in formula: Expression, except others: Set<String>) -> Expression {
        var numbers: [String: Decimal] = [:]
        for name in formula.names where !values.contains(name) && !others.contains(name) {
            if case .number(let number)? = parameters[name] { numbers[name] = number }
        }
        return formula.replacing(numbers)
    }
}
