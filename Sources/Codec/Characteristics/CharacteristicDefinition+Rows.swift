/// The words of the table of characteristics: one call is one row.
extension CharacteristicDefinition {
    /// A number: raw × scale, with the raw numbers that mean "not known" and the values that are allowed.
    static func number(
        _ name: String, _ type: FieldType, _ scale: Decimal = 1, _ unit: String? = nil, unknown: Int128...,
        in range: ClosedRange<Decimal>? = nil, homeAssistant: HomeAssistantClass? = nil
    ) -> Self {
        Self(
            name,
            [.number(name, type, scale, unit, unknown: unknown, in: range, homeAssistant: homeAssistant)])
    }

    /// A number without a scale.
    static func number(
        _ name: String, _ type: FieldType, _ unit: String, unknown: Int128..., in range: ClosedRange<Decimal>? = nil,
        homeAssistant: HomeAssistantClass? = nil
    ) -> Self {
        Self(name, [.number(name, type, 1, unit, unknown: unknown, in: range, homeAssistant: homeAssistant)])
    }

    /// Something that is neither scaled nor has special values.
    static func value(
        _ name: String, _ type: FieldType, unit: String? = nil, homeAssistant: HomeAssistantClass? = nil
    ) -> Self {
        Self(name, [.number(name, type, 1, unit, homeAssistant: homeAssistant)])
    }

    /// One byte whose numbers have names: words that count up from the first; the numbers without a name are reserved,
    /// unless the names are not complete.
    static func names(
        _ name: String, from first: Int = 0, _ words: String, isComplete: Bool = true, unknown: Int128...
    ) -> Self {
        let names: NamedValues = isComplete ? .reserved(from: first, words) : .open(from: first, words)
        return Self(name, [.names(name, names, unknown: unknown)])
    }

    /// One byte with names of single numbers, of which there are no others.
    static func names(_ name: String, _ names: [Int: String], unknown: Int128...) -> Self {
        Self(name, [.names(name, NamedValues(names, isComplete: true), unknown: unknown)])
    }

    /// A text, of a fixed length or to the end.
    static func text(_ name: String, length: Extent? = nil) -> Self {
        Self(name, [.text(name, length: length)])
    }

    /// What a device can do, or how it is: a bit for each word from the lowest on, and the number of them all.
    static func conditions(_ name: String, _ type: FieldType, _ words: String) -> Self {
        Self(name, [.conditions("value", type, words)])
    }

    /// The same with bits that are not all single.
    static func conditions(_ name: String, _ type: FieldType, _ bits: [BitField]) -> Self {
        Self(name, [.conditions("value", type, bits)])
    }

    /// Several fields.
    static func record(_ name: String, _ fields: Field...) -> Self {
        Self(name, fields)
    }

    /// Several fields, in one of several layouts.
    static func record(_ name: String, _ layouts: [Format]) -> Self {
        Self(name, layouts[0].fields, or: Array(layouts.dropFirst()))
    }

    /// Several fields, some of which depend on a flag.
    static func record(_ name: String, _ fields: [Field]...) -> Self {
        Self(name, Array(fields.joined()))
    }
}
