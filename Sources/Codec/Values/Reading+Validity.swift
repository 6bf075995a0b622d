extension Reading {
    /// Checks the reading with a condition over its fields, or over `value` for a single value.
    ///
    /// A condition whose result is not known, because a value is not, rejects nothing.
    ///
    /// - Throws: `DecodingError` if the condition is false.
    package func check(_ condition: Expression) throws(DecodingError) {
        var numbers: [(name: String, number: Decimal)] = []
        switch self {
        case .value(let value, _):
            if let number = value.number() { numbers.append(("value", number)) }
        case .fields(let members):
            for member in members {
                if let number = member.value.number() { numbers.append((member.name, number)) }
            }
        }
        guard condition.value(with: numbers) == .zero else { return }
        throw .invalid(field: "valid", "\(condition.text) is false")
    }
}
