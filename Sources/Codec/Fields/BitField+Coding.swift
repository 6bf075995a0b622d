extension BitField {
    /// Returns the number in the field's bits of a raw number.
    func number(in raw: Int128) -> Int128 {
        (raw >> range.lowerBound).lowest(range.count, isSigned: isSigned)
    }

    /// Returns the number of the field's bits for the conditions and formulas of later fields; nil for "not known".
    func known(in raw: Int128) -> Decimal? {
        let number = number(in: raw)
        if meaning.unknown.contains(number) { return nil }
        return isBoolean ? Decimal(number) : meaning.scaled(number) ?? .zero
    }

    func decode(_ raw: Int128) throws(DecodingError) -> Value {
        let number = number(in: raw)
        guard isBoolean else { return try meaning.value(of: number, field: name) }
        return meaning.unknown.contains(number) ? .null : .boolean(number == 1)
    }

    /// Returns the bits of a value at the positions of the field's bits; all other bits are 0.
    func encode(_ value: Value) throws(EncodingError) -> Int128 {
        guard isBoolean, value != .null || meaning.unknown.isEmpty else {
            return bits(for: try meaning.raw(for: value, in: limits, field: name))
        }
        guard let isSet = value.truth, !meaning.unknown.contains(isSet ? 1 : 0) else {
            throw .invalid(field: name, expected: "true or false", found: value.description)
        }
        return bits(for: isSet ? 1 : 0)
    }

    /// Returns a number shifted to the positions of the field's bits.
    func bits(for number: Int128) -> Int128 {
        number.lowest(range.count, isSigned: false) << range.lowerBound
    }

    /// The number in which exactly the field's bits are set.
    var mask: Int128 {
        bits(for: -1)
    }
}
