/// A named bit or range of bits of an unsigned number: one bit is a boolean, several bits are a number.
@dynamicMemberLookup
package struct BitField: Hashable, Sendable {
    package var name: String
    /// The positions of the bits, from 0 (the least significant) to 63.
    package var range: ClosedRange<Int>
    /// Whether the most significant of several bits is a sign (two's complement).
    package var isSigned = false
    package var meaning = Meaning()
    /// The unit of the value, in the spelling of Home Assistant.
    package var unit: String?
    /// The physical meaning of the value; nil for a flag or a setting.
    package var kind: Quantity.Kind?
    /// The conditions on this or an earlier field that must all hold for the bits to have a meaning.
    package var when: [Condition] = []
    /// Whether the reading shows the bits.
    ///
    /// Encoding derives the value of a hidden flag from the fields that are present.
    package var isShown = true

    @inline(never)
    package init(_ name: String, _ range: ClosedRange<Int>) {
        self.name = name
        self.range = range
    }

    package subscript<Part>(dynamicMember part: WritableKeyPath<Meaning, Part>) -> Part {
        get { meaning[keyPath: part] }
        set { meaning[keyPath: part] = newValue }
    }

    /// Whether the value is true or false, and not a number.
    package var isBoolean: Bool {
        range.count == 1 && !isSigned && meaning.values == nil && meaning.scale == 1 && meaning.offset == 0
    }

    /// The same bits, not shown by a reading.
    var hidden: BitField {
        var field = self
        field.isShown = false
        return field
    }

    /// The numbers that the bits can represent.
    package var limits: ClosedRange<Int128> {
        let count: Int128 = 1 << range.count
        return isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
    }
}
