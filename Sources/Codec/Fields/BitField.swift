/// A bit or a range of bits of an unsigned number, with a name: one bit is a boolean, several are a number.
@dynamicMemberLookup
package struct BitField: Hashable, Sendable {
    package var name: String
    /// Bit 0 is the least significant.
    package var range: ClosedRange<Int>
    /// Whether the most significant of several bits is a sign (two's complement).
    package var isSigned = false
    package var meaning = Meaning()
    /// Flags, of this or an earlier field, without which the bits say nothing.
    package var when: [Condition] = []
    /// Whether the reading shows it. Flags that only tell which fields follow need not be shown: encoding finds them by
    /// itself.
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

    /// Whether it is true or false and not a number.
    var isBoolean: Bool {
        range.count == 1 && !isSigned && meaning.values == nil && meaning.scale == 1 && meaning.offset == 0
    }

    /// The numbers that the bits can hold.
    var limits: ClosedRange<Int128> {
        let count: Int128 = 1 << range.count
        return isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
    }
}
