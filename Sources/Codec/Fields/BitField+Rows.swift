extension BitField {
    /// Returns the field of one bit that a reading shows.
    @inline(never)
    static func shown(_ name: String, _ bit: Int) -> BitField {
        BitField(name, bit...bit)
    }

    /// Returns the field of one bit that a reading does not show; conditions and formulas of later fields refer to it.
    @inline(never)
    static func hidden(_ name: String, _ bit: Int) -> BitField {
        hidden(name, bit...bit)
    }

    @inline(never)
    static func hidden(_ name: String, _ range: ClosedRange<Int>) -> BitField {
        var field = BitField(name, range)
        field.isShown = false
        return field
    }

    /// Returns a hidden field of bits that must have a fixed number: decoding rejects any other number.
    @inline(never)
    static func constant(_ name: String, _ range: ClosedRange<Int>, _ number: Decimal) -> BitField {
        var field = hidden(name, range)
        field.meaning.range = number...number
        return field
    }

    /// Returns the field of bits that are a number: raw × scale + offset.
    @inline(never)
    static func number(
        _ name: String, _ range: ClosedRange<Int>, _ scale: Decimal = 1, _ unit: String? = nil, offset: Decimal = 0,
        unknown: [Int128] = [], kind: Quantity.Kind? = nil
    ) -> BitField {
        var field = BitField(name, range)
        field.meaning = Meaning(scale, offset: offset, unknown: unknown)
        field.unit = unit
        field.kind = kind
        return field
    }

    @inline(never)
    static func names(_ name: String, _ range: ClosedRange<Int>, _ values: NamedValues, unknown: [Int128] = [])
        -> BitField
    {
        var field = BitField(name, range)
        field.meaning.values = values
        field.meaning.unknown = unknown
        return field
    }

    /// The same bits, with a sign (two's complement).
    var signed: BitField {
        var field = self
        field.isSigned = true
        return field
    }

    /// The same bits, with a meaning only while a flag is set.
    func when(_ flag: String) -> BitField {
        var field = self
        field.when.append(Condition(flag))
        return field
    }
}
