/// The content of a field that is calculated from earlier fields and has no bytes of its own.
package struct Formula: Hashable, Sendable {
    package var expression: Expression
    /// Whether the value is a boolean, which is true for every result except 0.
    package var isBoolean = false
    package var meaning: Meaning

    package init(_ expression: Expression, isBoolean: Bool = false, _ meaning: Meaning = Meaning()) {
        self.expression = expression
        self.isBoolean = isBoolean
        self.meaning = meaning
    }

    /// Returns the value for the numbers of earlier fields; null if a number is not known or the formula has no result.
    func value(with known: KnownNumbers, field: String) throws(DecodingError) -> Value {
        guard let number = expression.value(with: known) else { return .null }
        if isBoolean { return .boolean(number != .zero) }
        if let whole = number.wholeNumber {
            if meaning.unknown.contains(whole) { return .null }
            if let values = meaning.values { return try values.decode(whole, field: field) }
        }
        return try meaning.value(of: number, field: field)
    }
}
