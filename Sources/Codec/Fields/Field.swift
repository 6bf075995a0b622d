/// One entry of a format: the layout of the next bytes and their meaning.
package struct Field: Hashable, Sendable {
    /// The order of a number's bytes.
    package enum Endian: String, Hashable, Sendable, CaseIterable {
        case little, big
        /// Words of 16 bits, the least significant word first, and each word in big-endian order (Modbus).
        case word
    }

    /// The name of the value in a reading.
    package var name: String
    /// The layout of the bytes.
    package var content: Content
    /// The unit of the value, in the spelling of Home Assistant: `°C`, `hPa`.
    package var unit: String?
    /// The physical meaning of the value; nil for a setting, a counter or a fact about the device.
    package var kind: Quantity.Kind?
    /// The number of repetitions, each of them an element of a list; nil for a field that is not a list.
    package var count: Extent?
    /// The conditions on earlier fields; the field is present only if all conditions hold.
    package var when: [Condition] = []
    /// The formula of the value that is written if the record has none; only in a question.
    package var assignment: Expression?
    /// The position of the first byte in the value, from 0 on; nil: after the previous field.
    package var position: UInt16?
    /// Whether the field is present only if bytes are left for it.
    package var isOptional = false
    /// Whether the reading shows the field.
    ///
    /// Encoding derives the value of a hidden length, count or reserved byte.
    package var isShown = true

    @inline(never)
    package init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }
}

extension Field {
    /// The layout of a field's bytes, and the parts of their meaning that depend on the layout.
    ///
    /// Large values are indirect: each decoded value copies its field (measured: Tests/Benchmark/README.md).
    package enum Content: Hashable, Sendable {
        case number(Number)
        case bits(BitSet)
        /// A value of a fixed size that is not a number.
        case value(ValueType, Endian)
        /// A value of a variable length; without a length, the value extends to the end of the bytes.
        case text(TextType, Endian, length: Extent?)
        /// A time in UTC; the value of the number is in seconds since 1970-01-01.
        case timestamp(Number)
        /// Bytes that always have the same value; no reading shows them.
        case constant(BytePattern)
        /// Text in UTF-8 up to an ASCII character such as NUL or a comma, or to the end of the bytes.
        case terminatedText(by: UInt8)
        /// A number as text, with a length, up to an ASCII character, or to the end of the bytes.
        indirect case decimal(Meaning, length: Extent?, terminator: UInt8?)
        /// Six bytes: a device address, read as `C0:00:00:00:00:01`. The raw numbers in `unknown` are read as null.
        case address(Endian, unknown: [Int128])
        /// A nested record; without a length, the record ends where its last field ends.
        case record(Format, length: Extent?)
        /// Objects up to the end of the bytes, each with its own tag.
        case objects(ObjectTable)
        /// A text in JSON up to the end of the bytes, whose members are the values of the reading.
        case json(JSONMembers)
        /// A value without bytes, calculated from earlier fields.
        indirect case formula(Formula)
        /// The number of bytes of the record that contains the field, including the bytes of the field itself.
        case size(UnsignedType)
        /// A checksum over the bytes of the record before the field. The raw numbers in `unknown` mean that the sender
        /// does not calculate a checksum.
        case checksum(Checksum, UnsignedType, unknown: [Int128])
    }

    /// The named bits of a field of bits; empty for any other content.
    package var bits: [BitField] {
        if case .bits(let set) = content { set.bits } else { [] }
    }

    /// The members of a text in JSON; empty for any other content.
    var jsonMembers: [JSONMembers.Member] {
        if case .json(let json) = content { json.members } else { [] }
    }

    /// The meaning of the number; nil for content that is not a number with a meaning.
    package var meaning: Meaning? {
        switch content {
        case .number(let number): number.meaning
        case .formula(let formula): formula.meaning
        case .decimal(let meaning, _, _): meaning
        default: nil
        }
    }

    /// The names of the values that the field decodes: its own name, or the names of its bits.
    var names: [String] {
        switch content {
        case .constant: []
        case .json(let json): json.members.map(\.name)
        case .bits(let set): (set.showsNumber ? [name] : []) + set.bits.map(\.name)
        default: [name]
        }
    }

    /// The size in bytes of one repetition; nil if it depends on the bytes.
    package var fixedSize: Int? {
        switch content {
        case .number(let number): number.type.size
        case .bits(let set): set.type.size
        case .value(let type, _): type.size
        case .timestamp(let number): number.type.size
        case .constant(let pattern): pattern.count
        case .address: 6
        case .size(let type), .checksum(_, let type, _): type.size
        case .formula: 0
        case .text(_, _, length: .exactly(let length)), .record(_, length: .exactly(let length)): length
        case .text, .record, .terminatedText, .decimal, .objects, .json: nil
        }
    }

    /// The least number of bytes of the field, with all repetitions.
    var minimumSize: Int {
        var size = fixedSize ?? 0
        if case .record(let record, length: nil) = content { size = record.minimumSize }
        switch count {
        case nil: return size
        case .exactly(let number)?: return size * number
        case .toTheEnd?, .field?, .formula?: return 0
        }
    }

    /// The range of raw numbers and the meaning of a field whose bytes are one whole number; nil for any other field.
    var wholeNumber: (range: ClosedRange<Int128>, meaning: Meaning)? {
        switch content {
        case .number(let number): number.integerRange.map { ($0, number.meaning) }
        case .size(let type), .checksum(_, let type, _): (type.range, Meaning())
        default: nil
        }
    }
}
