/// The vocabulary of the tables of characteristics: one call is one row.
extension CharacteristicDefinition {
    /// A number: raw × scale, with the raw numbers for "not known" and the allowed range of values.
    static func number(
        _ name: String, _ type: NumberType, _ scale: Decimal = 1, _ unit: String? = nil, unknown: Int128...,
        in range: ClosedRange<Decimal>? = nil, kind: Quantity.Kind? = nil
    ) -> Self {
        Self(
            name,
            [.number(name, type, scale, unit, unknown: unknown, in: range, kind: kind)])
    }

    /// A number without a scale.
    static func number(
        _ name: String, _ type: NumberType, _ unit: String, unknown: Int128..., in range: ClosedRange<Decimal>? = nil,
        kind: Quantity.Kind? = nil
    ) -> Self {
        Self(name, [.number(name, type, 1, unit, unknown: unknown, in: range, kind: kind)])
    }

    /// A value that is not a number.
    static func value(
        _ name: String, _ type: ValueType, unit: String? = nil, kind: Quantity.Kind? = nil
    ) -> Self {
        var field = Field.value(name, type)
        field.unit = unit
        field.kind = kind
        return Self(name, [field])
    }

    /// One byte whose numbers have names: words that count up from the first.
    ///
    /// Numbers without a name are reserved, unless the names are not complete.
    static func names(
        _ name: String, from first: Int = 0, _ words: String, isComplete: Bool = true, unknown: Int128...
    ) -> Self {
        let names: NamedValues = isComplete ? .reserved(from: first, words) : .open(from: first, words)
        return Self(name, [.names(name, names, unknown: unknown)])
    }

    /// One byte with names for single numbers; all other numbers are reserved.
    static func names(_ name: String, _ names: [Int: String], unknown: Int128...) -> Self {
        Self(name, [.names(name, NamedValues(names, isComplete: true), unknown: unknown)])
    }

    /// A text of a fixed length, or up to the end.
    static func text(_ name: String, length: Extent? = nil) -> Self {
        Self(name, [.text(name, length: length)])
    }

    /// A set of conditions, one bit for each word from bit 0 on, and their number.
    static func conditions(_ name: String, _ type: NumberType, _ words: String) -> Self {
        Self(name, [.conditions("value", type, words)])
    }

    /// A set of conditions with ranges of bits, and their number.
    static func conditions(_ name: String, _ type: NumberType, _ bits: [BitField]) -> Self {
        Self(name, [.conditions("value", type, bits)])
    }

    /// Several fields.
    static func record(_ name: String, _ fields: Field...) -> Self {
        Self(name, fields)
    }

    /// Several fields in one of several layouts.
    static func record(_ name: String, _ layouts: [Format]) -> Self {
        Self(name, layouts[0].fields, or: Array(layouts.dropFirst()))
    }

    /// Several fields, in groups that follow one another.
    static func record(_ name: String, _ fields: [Field]...) -> Self {
        Self(name, Array(fields.joined()))
    }
}
