/// The words of the tables of fields: one call is one row.
///
/// And it stays a call: a row that is inlined takes half a kilobyte of the program, and there are more than a thousand.
extension Field {
    @inline(never)
    static func number(
        _ name: String, _ type: FieldType, _ scale: Decimal = 1, _ unit: String? = nil, offset: Decimal = 0,
        unknown: [Int128] = [], in range: ClosedRange<Decimal>? = nil, homeAssistant: HomeAssistantClass? = nil
    ) -> Field {
        var field = Field(name, type)
        field.meaning = Meaning(
            scale, unit, offset: offset, unknown: unknown, in: range, homeAssistant: homeAssistant)
        return field
    }

    @inline(never)
    static func names(
        _ name: String, _ names: NamedValues, _ type: FieldType = .uint8, unknown: [Int128] = []
    ) -> Field {
        var field = Field(name, type)
        field.meaning.values = names
        field.meaning.unknown = unknown
        return field
    }

    /// A number of which nothing is known but its bits.
    @inline(never)
    static func bits(_ type: FieldType, _ bits: BitField...) -> Field {
        .bits(type, bits)
    }

    @inline(never)
    static func bits(_ type: FieldType, _ bits: [BitField]) -> Field {
        var field = Field("flags", type)
        field.bits = bits
        return field
    }

    /// The flags of a record: those bits, and for all others a hidden one each, to which `ifBit` and `unlessBit` refer.
    @inline(never)
    static func flags(_ type: FieldType, _ shown: BitField...) -> Field {
        let taken = Set(shown.flatMap(\.range))
        let others = (0..<8 * (type.size ?? 0)).filter { !taken.contains($0) }
        var field = Field("flags", type)
        field.bits = shown + others.map { .hidden("flag_\($0)", $0) }
        return field
    }

    /// The same field, there only when a bit of the flags is set.
    func ifBit(_ bit: Int) -> Field { when("flag_\(bit)") }

    /// The same field, there only when a bit of the flags is not set.
    func unlessBit(_ bit: Int) -> Field { unless("flag_\(bit)") }

    /// A set of conditions, each a bit, of which the number is shown as well: the words name the bits from the lowest
    /// on, `-` stands for a reserved one.
    @inline(never)
    static func conditions(_ name: String, _ type: FieldType, _ words: String) -> Field {
        let names = words.split(whereSeparator: \.isWhitespace).enumerated()
        return conditions(
            name, type, names.filter { $0.element != "-" }.map { BitField(String($0.element), $0.offset...$0.offset) })
    }

    /// A set of conditions, of which the number is shown as well.
    @inline(never)
    static func conditions(_ name: String, _ type: FieldType, _ bits: [BitField]) -> Field {
        var field = Field(name, type)
        field.bits = bits
        field.showsBitsAsNumber = true
        return field
    }

    @inline(never)
    static func text(_ name: String, length: Extent? = nil) -> Field {
        var field = Field(name, .utf8)
        field.length = length
        return field
    }

    @inline(never)
    static func bytes(_ name: String, length: Extent? = nil) -> Field {
        var field = Field(name, .bytes)
        field.length = length
        return field
    }

    @inline(never)
    static func version(_ name: String, parts: Int) -> Field {
        var field = Field(name, .version)
        field.length = .exactly(parts)
        return field
    }

    /// Objects up to the end.
    @inline(never)
    static func objects(_ table: ObjectTable) -> Field {
        var field = Field("objects", .objects)
        field.objects = table
        return field
    }

    /// Bytes that say nothing.
    @inline(never)
    static func reserved(_ length: Int) -> Field {
        bytes("reserved", length: .exactly(length)).hidden
    }

    @inline(never)
    static func record(_ name: String, _ fields: [Field]) -> Field {
        var field = Field(name, .record)
        field.record = Format(fields)
        return field
    }

    /// A number whose scale and unit depend on a flag: the first if it is not set, the second if it is.
    @inline(never)
    static func either(
        _ name: String, _ type: FieldType, _ scale: Decimal, _ unit: String, or otherScale: Decimal,
        _ otherUnit: String, flag: String, homeAssistant: HomeAssistantClass? = nil
    ) -> [Field] {
        [
            .number(name, type, scale, unit, homeAssistant: homeAssistant).unless(flag),
            .number(name, type, otherScale, otherUnit, homeAssistant: homeAssistant).when(flag),
        ]
    }

    /// The layout of another characteristic that is one value.
    @inline(never)
    static func scalar(_ name: String, like other: String) -> Field {
        guard let definition = Characteristics.scalar(other) else {
            preconditionFailure("the table of records refers to \(other), which is no scalar")
        }
        return definition.format.fields[0].named(name)
    }

    /// What follows from earlier fields.
    @inline(never)
    static func calculated(
        _ name: String, _ formula: String, _ unit: String? = nil, type: FieldType = .number, unknown: Int128...,
        homeAssistant: HomeAssistantClass? = nil
    ) -> Field {
        var field = Field(name, type)
        do throws(ExpressionError) {
            field.expression = try Expression(formula)
        } catch {
            preconditionFailure("the table calculates \(name) wrongly: \(error)")
        }
        field.meaning.unit = unit
        field.meaning.unknown = unknown
        field.meaning.homeAssistant = homeAssistant
        return field
    }

    /// The CRC over a record that the medical profiles have if their feature says so.
    static let crc: Field = {
        var field = Field("e2e_crc", .uint16)
        field.checksum = .crc16
        field.isOptional = true
        return field
    }()

    /// The same field in the other order of bytes.
    var bigEndian: Field { with(\.endian, .big) }

    /// The same field, which a reading does not show.
    var hidden: Field { with(\.isShown, false) }

    /// The same field, there only if bytes are left.
    var optional: Field { with(\.isOptional, true) }

    /// The same field as often as the bytes reach.
    var toTheEnd: Field { with(\.count, .toTheEnd) }

    /// The same field so many times.
    func times(_ count: Int) -> Field { with(\.count, .exactly(count)) }

    /// The same field under another name.
    func named(_ name: String) -> Field { with(\.name, name) }

    /// The same field, with names for its numbers.
    func named(_ values: NamedValues) -> Field { with(\.meaning.values, values) }

    /// The same field, whose numbers may be others than those with names.
    var open: Field { with(\.meaning.values, meaning.values?.open) }

    /// The same field, there only when a flag is set.
    func when(_ flag: String) -> Field { with(\.when, when + [Condition(flag)]) }

    /// The same field, there only when a flag has this number.
    func when(_ flag: String, is number: Int) -> Field { with(\.when, when + [Condition(flag, equals: number)]) }

    /// The same field, there only when a flag has another number.
    func unless(_ flag: String, is number: Int) -> Field {
        with(\.when, when + [Condition(flag, .unequal(number))])
    }

    /// The same field, there only when a flag is not set.
    func unless(_ flag: String) -> Field { when(flag, is: 0) }

    @inline(never)
    private func with<Part>(_ part: WritableKeyPath<Field, Part>, _ value: Part) -> Field {
        var field = self
        field[keyPath: part] = value
        return field
    }
}

extension Meaning {
    init(
        _ scale: Decimal = 1, _ unit: String? = nil, offset: Decimal = 0, unknown: [Int128] = [],
        in range: ClosedRange<Decimal>? = nil, homeAssistant: HomeAssistantClass? = nil
    ) {
        self.scale = scale
        self.offset = offset
        self.unit = unit
        self.homeAssistant = homeAssistant
        self.unknown = unknown
        self.range = range
    }
}

extension NamedValues {
    /// Words that count up from the first; the numbers without a name, or with `-`, are reserved.
    @inline(never)
    static func reserved(from first: Int = 0, _ words: String) -> NamedValues {
        NamedValues(numbered(from: first, words), isComplete: true)
    }

    /// Words that count up from the first; a number without a name, or with `-`, stays a number.
    @inline(never)
    static func open(from first: Int = 0, _ words: String) -> NamedValues {
        NamedValues(numbered(from: first, words))
    }

    /// Units, of which a flag tells which one is meant.
    @inline(never)
    static func units(_ words: String) -> NamedValues {
        var values = reserved(words)
        values.areWords = true
        return values
    }

    private static func numbered(from first: Int, _ words: String) -> [Int: String] {
        let words = words.split(whereSeparator: \.isWhitespace).enumerated().filter { $0.element != "-" }
        return Dictionary(uniqueKeysWithValues: words.map { (first + $0.offset, String($0.element)) })
    }
}
