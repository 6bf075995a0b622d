/// Functions that create the fields of the tables.
///
/// The functions are not inlined: each inlined call adds half a kilobyte to the program, and there are more than 1,000
/// calls.
extension Field {
    /// Returns the field of a number: raw × scale + offset.
    @inline(never)
    package static func number(
        _ name: String, _ type: NumberType, _ scale: Decimal = 1, _ unit: String? = nil, offset: Decimal = 0,
        unknown: [Int128] = [], in range: ClosedRange<Decimal>? = nil, kind: Quantity.Kind? = nil
    ) -> Field {
        var field = Field(
            name, .number(Number(type, Meaning(scale, offset: offset, unknown: unknown, in: range))))
        field.unit = unit
        field.kind = kind
        return field
    }

    /// Returns the field of a number whose raw numbers have names.
    @inline(never)
    package static func names(
        _ name: String, _ names: NamedValues, _ type: NumberType = .uint8, unknown: [Int128] = []
    ) -> Field {
        var meaning = Meaning(unknown: unknown)
        meaning.values = names
        return Field(name, .number(Number(type, meaning)))
    }

    /// Returns the field of an unsigned number; a reading shows its bits, but not the number.
    @inline(never)
    static func bits(_ type: NumberType, _ bits: BitField...) -> Field {
        .bits(type, bits)
    }

    @inline(never)
    package static func bits(_ type: NumberType, _ bits: [BitField]) -> Field {
        .bits("flags", type, bits)
    }

    @inline(never)
    private static func bits(_ name: String, _ type: NumberType, _ bits: [BitField]) -> Field {
        guard let type = UnsignedType(type) else { preconditionFailure("\(name) has bits, but is a \(type.rawValue)") }
        return Field(name, .bits(BitSet(type, bits)))
    }

    /// Returns the flags of a record: the given bits, and a hidden bit `flag_N` for each other position N.
    ///
    /// `ifBit` and `unlessBit` of later fields refer to the hidden bits.
    @inline(never)
    static func flags(_ type: NumberType, _ shown: BitField...) -> Field {
        let taken = Set(shown.flatMap(\.range))
        let others = (0..<8 * type.size).filter { !taken.contains($0) }
        return .bits(type, shown + others.map { .hidden("flag_\($0)", $0) })
    }

    /// The same field, present only while a bit of the flags is set.
    func ifBit(_ bit: Int) -> Field { when("flag_\(bit)") }

    /// The same field, present only while a bit of the flags is not set.
    func unlessBit(_ bit: Int) -> Field { unless("flag_\(bit)") }

    /// Returns the field of a set of bits; a reading shows each bit and the whole number.
    ///
    /// The words name the bits from bit 0 on, separated by spaces; `-` stands for a reserved bit.
    @inline(never)
    static func conditions(_ name: String, _ type: NumberType, _ words: String) -> Field {
        let names = words.split(whereSeparator: \.isWhitespace).enumerated()
        return conditions(
            name, type, names.filter { $0.element != "-" }.map { BitField(String($0.element), $0.offset...$0.offset) })
    }

    /// Returns the field of a set of bits or ranges of bits; a reading shows each of them and the whole number.
    @inline(never)
    package static func conditions(_ name: String, _ type: NumberType, _ bits: [BitField]) -> Field {
        guard case .bits(var set) = Field.bits(name, type, bits).content else {
            preconditionFailure("\(name) has no bits")
        }
        set.showsNumber = true
        return Field(name, .bits(set))
    }

    @inline(never)
    package static func text(_ name: String, length: Extent? = nil) -> Field {
        Field(name, .text(.utf8, .little, length: length))
    }

    @inline(never)
    package static func bytes(_ name: String, length: Extent? = nil) -> Field {
        Field(name, .text(.bytes, .little, length: length))
    }

    /// Returns the field of a UUID of `length` bytes (2, 4 or 16), or of all remaining bytes.
    @inline(never)
    package static func uuid(_ name: String, length: Extent? = nil) -> Field {
        Field(name, .text(.uuid, .little, length: length))
    }

    @inline(never)
    static func version(_ name: String, parts: Int) -> Field {
        Field(name, .text(.version, .little, length: .exactly(parts)))
    }

    @inline(never)
    package static func value(_ name: String, _ type: ValueType) -> Field {
        Field(name, .value(type, .little))
    }

    /// Returns a field of objects up to the end of the bytes.
    @inline(never)
    static func objects(_ table: ObjectTable) -> Field {
        Field("objects", .objects(table))
    }

    /// Returns the field of a text in JSON up to the end of the bytes.
    @inline(never)
    package static func json(_ members: JSONMembers) -> Field {
        Field("json", .json(members))
    }

    /// Returns a hidden field of bytes without a meaning.
    @inline(never)
    static func reserved(_ length: Int) -> Field {
        bytes("reserved", length: .exactly(length)).hidden
    }

    /// Returns a hidden field of constant bytes, which are written, and checked when read.
    @inline(never)
    package static func constant(_ pattern: BytePattern) -> Field {
        Field("constant", .constant(pattern)).hidden
    }

    @inline(never)
    package static func record(_ name: String, _ fields: [Field], length: Extent? = nil) -> Field {
        Field(name, .record(Format(fields), length: length))
    }

    /// Returns the field of the size in bytes of the record that contains the field.
    @inline(never)
    package static func size(_ name: String, _ type: NumberType) -> Field {
        guard let type = UnsignedType(type) else { preconditionFailure("\(name) is a size, but a \(type.rawValue)") }
        return Field(name, .size(type))
    }

    /// Returns the fields of a number whose scale and unit depend on a flag.
    ///
    /// While the flag is not set, `scale` and `unit` apply; while it is set, `otherScale` and `otherUnit` apply.
    @inline(never)
    static func either(
        _ name: String, _ type: NumberType, _ scale: Decimal, _ unit: String, or otherScale: Decimal,
        _ otherUnit: String, flag: String, unknown: [Int128] = [], kind: Quantity.Kind? = nil
    ) -> [Field] {
        [
            .number(name, type, scale, unit, unknown: unknown, kind: kind).unless(flag),
            .number(name, type, otherScale, otherUnit, unknown: unknown, kind: kind).when(flag),
        ]
    }

    /// Returns a field with the layout of the characteristic `other`, which must be one value.
    @inline(never)
    static func scalar(_ name: String, like other: String) -> Field {
        guard let definition = Characteristics.scalar(other) else {
            preconditionFailure("the table of records refers to \(other), which is not a scalar characteristic")
        }
        return definition.format.fields[0].named(name)
    }

    /// Returns the field of a number that a formula calculates from earlier fields.
    @inline(never)
    package static func calculated(
        _ name: String, _ formula: String, _ unit: String? = nil, unknown: Int128..., kind: Quantity.Kind? = nil
    ) -> Field {
        var field = Field(name, .formula(Formula(expression(formula), Meaning(unknown: unknown))))
        field.unit = unit
        field.kind = kind
        return field
    }

    /// Returns the field of a boolean that is true if the result of a formula over earlier fields is not 0.
    @inline(never)
    package static func truth(_ name: String, _ formula: String) -> Field {
        Field(name, .formula(Formula(expression(formula), isBoolean: true)))
    }

    private static func expression(_ formula: String) -> Expression {
        do throws(ExpressionError) {
            return try Expression(formula)
        } catch {
            preconditionFailure("the formula of a table is wrong: \(error)")
        }
    }

    /// The E2E-CRC over a record of a medical profile, which is absent if the device does not support E2E-CRC.
    static let crc = Field("e2e_crc", .checksum(.crc16, .uint16, unknown: [])).optional

    /// The same field in big-endian byte order.
    package var bigEndian: Field {
        var field = self
        switch content {
        case .number(var number):
            number.endian = .big
            field.content = .number(number)
        case .bits(var set):
            set.type = set.type.bigEndian
            field.content = .bits(set)
        case .value(let type, _): field.content = .value(type, .big)
        case .timestamp(var number):
            number.endian = .big
            field.content = .timestamp(number)
        case .text(let type, _, let length): field.content = .text(type, .big, length: length)
        case .address(_, let unknown): field.content = .address(.big, unknown: unknown)
        case .size(let type): field.content = .size(type.bigEndian)
        case .checksum(let checksum, let type, let unknown):
            field.content = .checksum(checksum, type.bigEndian, unknown: unknown)
        case .constant, .terminatedText, .decimal, .record, .objects, .json, .formula:
            preconditionFailure("\(name) has no byte order")
        }
        return field
    }

    /// The same field, not shown by a reading.
    package var hidden: Field { with(\.isShown, false) }

    /// The same field, present only if bytes are left.
    package var optional: Field { with(\.isOptional, true) }

    /// The same field, repeated up to the end of the bytes.
    package var toTheEnd: Field { with(\.count, .toTheEnd) }

    /// The same field, repeated `count` times.
    package func times(_ count: Int) -> Field { with(\.count, .exactly(count)) }

    /// The same field under another name.
    func named(_ name: String) -> Field { with(\.name, name) }

    /// The same field, with names for its numbers.
    func named(_ values: NamedValues) -> Field { with { $0.values = values } }

    /// The same field, where a number without a name is allowed.
    var open: Field { with { $0.values = $0.values?.open } }

    /// The same field, where 0 is allowed in addition to its range.
    var allowingZero: Field { with { $0.allowsZero = true } }

    /// The same field, limited to a range of values.
    func limited(to range: ClosedRange<Decimal>, forWritingOnly: Bool) -> Field {
        with { ($0.range, $0.rangeIsForWriting) = (range, forWritingOnly) }
    }

    /// The same field, present only while a flag is set.
    package func when(_ flag: String) -> Field { with(\.when, when + [Condition(flag)]) }

    /// The same field, present only while a flag has this number.
    package func when(_ flag: String, is number: Int) -> Field {
        with(\.when, when + [Condition(flag, equals: number)])
    }

    /// The same field, present only while a flag has another number.
    func unless(_ flag: String, is number: Int) -> Field {
        with(\.when, when + [Condition(flag, .unequal(number))])
    }

    /// The same field, present only while a flag is not set.
    func unless(_ flag: String) -> Field { when(flag, is: 0) }

    @inline(never)
    private func with<Part>(_ part: WritableKeyPath<Field, Part>, _ value: Part) -> Field {
        var field = self
        field[keyPath: part] = value
        return field
    }

    @inline(never)
    private func with(_ change: (inout Meaning) -> Void) -> Field {
        var field = self
        switch content {
        case .number(var number):
            change(&number.meaning)
            field.content = .number(number)
        case .formula(var formula):
            change(&formula.meaning)
            field.content = .formula(formula)
        default: preconditionFailure("\(name) is not a number or a formula")
        }
        return field
    }
}

extension Meaning {
    init(
        _ scale: Decimal = 1, offset: Decimal = 0, unknown: [Int128] = [], in range: ClosedRange<Decimal>? = nil
    ) {
        self.scale = scale
        self.offset = offset
        self.unknown = unknown
        self.range = range
    }
}

extension NamedValues {
    /// Returns names of consecutive numbers from `first` on; decoding rejects a number without a name.
    ///
    /// Spaces separate the words; `-` stands for a reserved number.
    @inline(never)
    static func reserved(from first: Int = 0, _ words: String) -> NamedValues {
        NamedValues(numbered(from: first, words), isComplete: true)
    }

    /// Returns names of consecutive numbers from `first` on; a number without a name is read as a number.
    @inline(never)
    static func open(from first: Int = 0, _ words: String) -> NamedValues {
        NamedValues(numbered(from: first, words))
    }

    /// Returns the names of the units that a flag selects; a reading shows the unit without the number of the flag.
    @inline(never)
    static func units(_ words: String) -> NamedValues {
        reserved(words).withoutNumbers
    }

    private static func numbered(from first: Int, _ words: String) -> [Int: String] {
        let words = words.split(whereSeparator: \.isWhitespace).enumerated().filter { $0.element != "-" }
        return Dictionary(uniqueKeysWithValues: words.map { (first + $0.offset, String($0.element)) })
    }
}
