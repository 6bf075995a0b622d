/// Functions that create the rows of the tables of characteristics.
extension CharacteristicDefinition {
    /// Returns the definition of a characteristic that is one number: raw × scale.
    ///
    /// The raw numbers in `unknown` mean "not known"; `range` limits the scaled values.
    static func number(
        _ name: String, _ type: NumberType, _ scale: Decimal = 1, _ unit: String? = nil, unknown: Int128...,
        in range: ClosedRange<Decimal>? = nil, kind: Quantity.Kind? = nil
    ) -> Self {
        Self(
            name,
            [.number(name, type, scale, unit, unknown: unknown, in: range, kind: kind)])
    }

    /// Returns the definition of a characteristic that is one number without a scale.
    static func number(
        _ name: String, _ type: NumberType, _ unit: String, unknown: Int128..., in range: ClosedRange<Decimal>? = nil,
        kind: Quantity.Kind? = nil
    ) -> Self {
        Self(name, [.number(name, type, 1, unit, unknown: unknown, in: range, kind: kind)])
    }

    /// Returns the definition of a characteristic that is one value and not a number.
    static func value(
        _ name: String, _ type: ValueType, unit: String? = nil, kind: Quantity.Kind? = nil
    ) -> Self {
        var field = Field.value(name, type)
        field.unit = unit
        field.kind = kind
        return Self(name, [field])
    }

    /// Returns the definition of a characteristic of one byte whose numbers have names.
    ///
    /// The words are the names of consecutive numbers from `first` on. If the names are complete, decoding rejects a
    /// number without a name.
    static func names(
        _ name: String, from first: Int = 0, _ words: String, isComplete: Bool = true, unknown: Int128...
    ) -> Self {
        let names: NamedValues = isComplete ? .reserved(from: first, words) : .open(from: first, words)
        return Self(name, [.names(name, names, unknown: unknown)])
    }

    /// Returns the definition of a characteristic of one byte; decoding rejects a number without a name.
    static func names(_ name: String, _ names: [Int: String], unknown: Int128...) -> Self {
        Self(name, [.names(name, NamedValues(names, isComplete: true), unknown: unknown)])
    }

    /// Returns the definition of a characteristic that is a text; without a length, the text extends to the last byte.
    static func text(_ name: String, length: Extent? = nil) -> Self {
        Self(name, [.text(name, length: length)])
    }

    /// Returns the definition of a set of bits; the words name the bits from bit 0 on, and `value` is the whole number.
    static func conditions(_ name: String, _ type: NumberType, _ words: String) -> Self {
        Self(name, [.conditions("value", type, words)])
    }

    /// Returns the definition of a set of bits and ranges of bits; the field `value` is the whole number.
    static func conditions(_ name: String, _ type: NumberType, _ bits: [BitField]) -> Self {
        Self(name, [.conditions("value", type, bits)])
    }

    /// Returns the definition of a characteristic with several fields.
    static func record(_ name: String, _ fields: Field...) -> Self {
        Self(name, fields)
    }

    /// Returns the definition of a characteristic with several layouts, which are tried in their order.
    static func record(_ name: String, _ layouts: [Format]) -> Self {
        Self(name, layouts[0].fields, or: Array(layouts.dropFirst()))
    }

    /// Returns the definition of a characteristic with several fields, given as consecutive groups.
    static func record(_ name: String, _ fields: [Field]...) -> Self {
        Self(name, Array(fields.joined()))
    }
}
