extension Reading {
    /// Checks the reading with a condition over its fields; a single value has the name `value`, and that of its field.
    ///
    /// A condition whose result is not known, because a value is not, rejects nothing.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - format: The format of the reading; nil: it has none.
    /// - Throws: `DecodingError` if the condition is false.
    package func check(_ condition: Expression, in format: Format?) throws(DecodingError) {
        var values: [(name: String, value: Value)] = []
        switch self {
        case .value(let value, _):
            values.append(("value", value))
            if let name = format?.fields.first?.name { values.append((name, value)) }
        case .fields(let members): values = members.map { ($0.name, $0.value) }
        }
        guard condition.value(with: values) == .zero else { return }
        throw .invalid(field: "valid", "\(condition.text) is false")
    }
}
