/// One entry of a format: how the next bytes are read, and what they mean.
@dynamicMemberLookup
package struct Field: Hashable, Sendable {
    /// The order of a number's bytes.
    package enum Endian: String, Hashable, Sendable, CaseIterable {
        case little, big
    }

    package var name: String
    package var type: FieldType
    package var endian = Endian.little
    /// How many of the lowest bits hold the number, where these are not all: the others are 0 when it is written, and
    /// ignored when it is read.
    package var usedBits: UInt8?
    /// What the number means.
    package var meaning = Meaning()
    /// Parts of an unsigned number that have names of their own; the field's own name then appears only if
    /// `showsBitsAsNumber`.
    package var bits: [BitField] = []
    /// Whether the number that the bits make up is shown as well, so that no bit is lost, known or not.
    package var showsBitsAsNumber = false
    /// The bytes of a text, of raw bytes or of a record; nil: to the end.
    package var length: Extent?
    /// How many times the field stands there one after the other, each time as an element of a list; nil for a field
    /// that stands there once.
    package var count: Extent?
    /// The flags that decide whether the field is there; all must hold.
    package var when: [Condition] = []
    /// Whether the field is there only if bytes are left for it.
    package var isOptional = false
    /// Whether the reading shows it. A length, a count or a reserved byte need not be shown: encoding finds it by
    /// itself.
    package var isShown = true
    /// Whether the number says how many bytes its record, or the whole, has: itself included.
    package var isSizeOfRecord = false
    /// Over all bytes of the record before it; the field's value is then checked, and found when encoding.
    package var checksum: Checksum?
    /// The fields of a record.
    package var record: Format?
    /// The objects that follow each other to the end.
    package var objects: ObjectTable?
    /// How to find the value from earlier fields; the field then has no bytes.
    package var expression: Expression?

    @inline(never)
    package init(_ name: String, _ type: FieldType) {
        self.name = name
        self.type = type
    }

    package subscript<Part>(dynamicMember part: WritableKeyPath<Meaning, Part>) -> Part {
        get { meaning[keyPath: part] }
        set { meaning[keyPath: part] = newValue }
    }

    /// The raw numbers it can hold; nil if it is not a whole number.
    package var integerRange: ClosedRange<Int128>? {
        guard let range = type.integerRange, let usedBits else { return type.integerRange }
        let unused = 8 * (type.size ?? 0) - Int(usedBits)
        return range.lowerBound >> unused...range.upperBound >> unused
    }

    /// The bytes it takes each time, where that is always the same.
    var fixedSize: Int? {
        if expression != nil { return 0 }
        if let size = type.size { return size }
        if case .exactly(let length) = length { return length }
        return nil
    }
}
