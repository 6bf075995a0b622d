extension Meaning {
    /// The value that a raw number stands for.
    func value(of raw: Int128, field: String) throws(DecodingError) -> Value {
        if unknown.contains(raw) { return .null }
        if let values { return try values.decode(raw, field: field) }
        guard let value = scaled(raw) else { throw .invalid(field: field, "\(raw) has too many digits for its scale") }
        return try checked(value, field: field)
    }

    /// The value of a number that is no whole one.
    func value(of number: Decimal, field: String) throws(DecodingError) -> Value {
        guard let value = number.multiplied(by: scale)?.adding(offset) else {
            throw .invalid(field: field, "\(number) has too many digits for its scale and offset")
        }
        return try checked(value, field: field)
    }

    /// The value of a raw number; nil if it has too many digits.
    func scaled(_ raw: Int128) -> Decimal? {
        Decimal(raw).multiplied(by: scale)?.adding(offset)
    }

    private func checked(_ value: Decimal, field: String) throws(DecodingError) -> Value {
        if let range, !rangeIsForWriting, !allows(value) {
            let limits = range.lowerBound == range.upperBound ? "" : " to \(range.upperBound)"
            let other = allowsZero ? ", or 0," : ""
            throw .invalid(field: field, "\(range.lowerBound)\(limits)\(other) is expected, not \(value)")
        }
        return .number(value)
    }

    /// Whether the format allows a value, if the bytes can hold it.
    func allows(_ value: Decimal) -> Bool {
        range?.contains(value) ?? true || (allowsZero && value == .zero)
    }

    /// The raw number that says a value, among those that the bits can hold.
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
            // What counts or chooses is not the nearest; of what a scale measures, more cannot be said.
            if scale == 1, distance != Decimal(steps) { throw invalid("a number in steps of 1") }
            raw = steps
        default: throw invalid("a number")
        }
        guard limits.contains(raw) else { throw invalid(expectation(limits)) }
        if unknown.contains(raw) { throw invalid("another number (this one means “not known”)") }
        return raw
    }

    /// The raw number that says exactly this one, which was found from other fields: they would not fit one beside it.
    func raw(found number: Decimal, in limits: ClosedRange<Int128>, field: String) throws(EncodingError) -> Int128 {
        let raw = try raw(for: .number(number), in: limits, field: field)
        guard values != nil || scaled(raw) == number else {
            throw .invalid(field: field, expected: "a number in steps of \(scale)", found: number.description)
        }
        return raw
    }

    /// “a number from 0 to 100”
    func expectation(_ limits: ClosedRange<Int128>?) -> String {
        guard let range = writableRange(limits) else { return "a smaller number" }
        return "a number from \(range.lowerBound) to \(range.upperBound)\(allowsZero ? ", or 0," : "")"
    }

    /// The range the format sets, or what the bits can hold.
    func writableRange(_ limits: ClosedRange<Int128>?) -> ClosedRange<Decimal>? {
        if let range { return range }
        guard let limits, let first = scaled(limits.lowerBound), let last = scaled(limits.upperBound) else {
            return nil
        }
        return min(first, last)...max(first, last)
    }
}
