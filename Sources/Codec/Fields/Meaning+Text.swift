/// Numbers as text.
extension Meaning {
    /// Returns the value of a text such as ` -12.5`; null for a text without characters except spaces.
    func decode(text: Value, field: String) throws(DecodingError) -> Value {
        guard case .string(let text) = text else { return .null }
        var digits = text[...].drop(while: \.isWhitespace)
        while digits.last?.isWhitespace == true { digits.removeLast() }
        if digits.isEmpty { return .null }
        if digits.first == "+" { digits.removeFirst() }
        guard let number = Decimal(String(digits)) else {
            throw .invalid(field: field, "expected a number as text, found \(text.quotedForMessage)")
        }
        return try decode(number, field: field)
    }

    /// Returns the value of a number that is exact in a text.
    func decode(_ number: Decimal, field: String) throws(DecodingError) -> Value {
        guard let whole = number.wholeNumber else { return try value(of: number, field: field) }
        return try value(of: whole, field: field)
    }

    /// Returns the text of a value.
    func text(of value: Value, field: String) throws(EncodingError) -> String {
        // An empty text is unknown, too.
        if value == .null, unknown.isEmpty { return "" }
        if values != nil || value == .null {
            return try raw(for: value, in: .min ... .max, field: field).description
        }
        guard case .number(let number) = value, allows(number),
            let text = number.subtracting(offset)?.divided(by: scale)?.normalized.description
        else { throw .invalid(field: field, expected: expectation(nil), found: value.description) }
        return text
    }
}
