package import JSON

extension Format {
    /// The quantities of the fields that are present only under a condition.
    package var conditionalQuantities: [Quantity] {
        fields.filter { !$0.when.isEmpty || $0.isOptional }.flatMap(\.quantities)
    }

    /// Returns the op code in a value to write: the named number on which other fields depend.
    ///
    /// - Returns: the op code; nil if the values of this format are no operations, or if the value contains none.
    package func operation(in value: JSON) -> JSON? {
        operationCode.flatMap { value[$0.name] }
    }

    /// The named number on which other fields depend; nil if the values of this format are no operations.
    var operationCode: Quantity? {
        guard let code = quantities.first, case .named = code.form, !conditionalQuantities.isEmpty else { return nil }
        return code
    }
}
