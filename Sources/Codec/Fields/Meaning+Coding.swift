extension Meaning {
    /// Returns the value of a raw number.
    func value(of raw: Int128, field: String) throws(DecodingError) -> Value {
        if unknown.contains(raw) { return .null }
        if let values { return try values.decode(raw, field: field) }
        guard let value = scaled(raw) else { throw .invalid(field: field, "\(raw) has too many digits for its scale") }
        return try checked(value, field: field)
    }

    /// Returns the value of a floating-point number or of the result of a formula.
    func value(of number: Decimal, field: String) throws(DecodingError) -> Value {
        guard let value = number.scaled(by: scale)?.adding(offset) else {
            throw .invalid(field: field, "\(number) has too many digits for its scale and offset")
        }
        return try checked(value, field: field)
    }

    /// Returns the scaled raw number; nil if the result has too many digits.
    func scaled(_ raw: Int128) -> Decimal? {
        Decimal(raw).scaled(by: scale)?.adding(offset)
    }

    private func checked(_ value: Decimal, field: String) throws(DecodingError) -> Value {
        if let range, !rangeIsForWriting, !allows(value) {
            if outsideIsUnknown { return .null }
            let limits = range.lowerBound == range.upperBound ? "" : " to \(range.upperBound)"
            let other = allowsZero ? ", or 0" : ""
            throw .invalid(field: field, "expected \(range.lowerBound)\(limits)\(other), found \(value)")
        }
        return .number(value)
    }

    /// Returns whether the format allows a value.
    func allows(_ value: Decimal) -> Bool {
        range?.contains(value) ?? true || (allowsZero && value == .zero)
    }

    /// Returns the raw number of a value; `limits` is the range of raw numbers that the bytes can represent.
    func raw(for value: Value, in limits: ClosedRange<Int128>, field: String) throws(EncodingError) -> Int128 {
        func invalid(_ expected: String) -> EncodingError {
            .invalid(field: field, expected: expected, found: value.description)
        }
        let raw: Int128
        switch (value, values) {
        case (.null, _) where !unknown.isEmpty: return unknown[0]
        case (_, let values?):
            guard let number = values.number(for: value) else { throw invalid(values.expectation) }
            raw = number
        case (.number(let number), nil):
            guard allows(number), let distance = number.subtracting(offset), let steps = distance.steps(of: scale)
            else { throw invalid(expectation(limits)) }
            // A value with a scale is a measurement and is rounded; a count or a choice must be exact.
            if scale == 1, distance != Decimal(steps) { throw invalid("a number in steps of 1") }
            raw = steps
        default: throw invalid("a number")
        }
        guard limits.contains(raw) else { throw invalid(expectation(limits)) }
        if unknown.contains(raw) { throw invalid("another number, because this one means \"not known\"") }
        return raw
    }

    /// Returns the raw number of a number that was derived from other fields; throws if the raw number is not exact.
    func raw(found number: Decimal, in limits: ClosedRange<Int128>, field: String) throws(EncodingError) -> Int128 {
        let raw = try raw(for: .number(number), in: limits, field: field)
        guard values != nil || scaled(raw) == number else {
            throw .invalid(field: field, expected: "a number in steps of \(scale)", found: number.description)
        }
        return raw
    }

    /// Returns the description of the allowed values for an error message, e.g.
    ///
    /// `a number from 0 to 100`.
    func expectation(_ limits: ClosedRange<Int128>?) -> String {
        guard let range = writableRange(limits) else { return "a smaller number" }
        return "a number from \(range.lowerBound) to \(range.upperBound)\(allowsZero ? ", or 0" : "")"
    }

    /// Returns the range of values of the format, or the range of values that the bytes can represent.
    func writableRange(_ limits: ClosedRange<Int128>?) -> ClosedRange<Decimal>? {
        if let range { return range }
        guard let limits, let first = scaled(limits.lowerBound), let last = scaled(limits.upperBound) else {
            return nil
        }
        return min(first, last)...max(first, last)
    }
}
