/// A field as described by a configuration; its keys may contradict each other until `field(at:)` checks them.
///
/// A `Field` cannot express a contradiction such as the length of a `uint8`. A configuration can, and its author needs
/// a message that names the key.
package struct FieldDescription: Sendable {
    /// The keys of a field in a configuration; `config/reference.md` describes each of them.
    package var name: String
    package var type: FieldType
    package var endian = Field.Endian.little
    package var scale: Decimal = 1
    package var offset: Decimal = 0
    package var unit: String?
    package var unknown: [Int128] = []
    package var bits: [BitField] = []
    package var values: NamedValues?
    /// The least and the greatest value that can be written; nil: the limit of the bytes.
    package var least: Decimal?
    package var greatest: Decimal?
    package var length: Extent?
    /// The ASCII character after the last byte of a text.
    package var terminator: UInt8?
    package var count: Extent?
    package var position: UInt16?
    package var when: [Condition] = []
    package var isOptional = false
    package var isShown = true
    package var formula: Expression?
    /// Whether the field is part of a question: its formula gives the value of its bytes.
    package var isInQuestion = false
    package var checksum: Checksum?
    package var isSize = false
    package var fields: Format?

    package init(_ name: String, _ type: FieldType) {
        self.name = name
        self.type = type
    }

    /// Checks the keys and creates the field.
    ///
    /// - Parameter index: The position of the field in its format, for the error.
    /// - Returns: The described field.
    /// - Throws: `FormatError` for the first key that contradicts another key.
    package func field(at index: Int = 0) throws(FormatError) -> Field {
        try checkKeys(at: index)
        var field = Field(name, try content(at: index))
        field.unit = unit
        field.count = count
        field.when = when
        field.position = position
        field.isOptional = isOptional
        field.isShown = isShown
        if isInQuestion {
            // A client cannot choose these values.
            if formula != nil || checksum != nil { field.isShown = false }
            if !field.isFormula { field.assignment = formula }
        }
        return field
    }

    /// Whether the formula calculates a value without bytes.
    private var isCalculated: Bool {
        formula != nil && (!isInQuestion || [.calculated, .value(.boolean)].contains(type))
    }

    private var isPlain: Bool {
        count == nil && bits.isEmpty && values == nil && scale == 1 && offset == 0
    }

    private var unsignedType: UnsignedType? {
        if case .number(let type) = type { UnsignedType(type, endian: byteOrder) } else { nil }
    }

    /// The byte order; a value that does not consist of words is big-endian in the place of `word`.
    private var byteOrder: Field.Endian {
        endian == .word && (numberSize ?? 1) == 1 ? .big : endian
    }

    /// The size in bytes of a number or a timestamp; nil for any other type.
    private var numberSize: Int? {
        switch type {
        case .number(let type): type.size
        case .value(.timestamp): timestampType?.size
        default: nil
        }
    }

    private func checkKeys(at index: Int) throws(FormatError) {
        func check(_ isRight: Bool, _ key: String, _ message: String) throws(FormatError) {
            if !isRight { throw FormatError("\(key): \(message)", index: index, key: key) }
        }
        try check(
            position == nil || !isInQuestion, "at", "the fields of a question are in wire order: remove at")
        try check(position == nil || !isCalculated, "at", "a calculated value has no bytes: remove at")
        let isText = type == .calculated || type == .decimal
        let (isNumber, isInteger) = (isText || type.isNumber, isText || type.isInteger)
        try check(
            terminator == nil || (length == nil && [.decimal, .text(.utf8)].contains(type)), "until",
            "until ends a field of type decimal or utf8 without a length")
        try check(
            unknown.isEmpty || isInteger || [.address, .value(.timestamp)].contains(type), "unknown",
            "only whole numbers have raw values for \"not known\"")
        try check(
            isNumber || type == .value(.timestamp) || (scale == 1 && offset == 0), "scale",
            "the type \(type.word) has no scale and no offset")
        try check(values == nil || isInteger, "values", "only whole numbers have names")
        if least != nil || greatest != nil { try checkLimits(isNumber: isNumber, check) }
        try check(length == nil || type.hasLength, "length", "the type \(type.word) has its own length")
        if type == .value(.timestamp), length != nil {
            try check(timestampType != nil, "length", "a timestamp has a length of 1 to 8 bytes")
        }
        let isWhole = numberSize.map { $0 == 1 || $0.isMultiple(of: 2) } ?? true
        try check(
            endian != .word || isWhole, "endian",
            "the type \(type.word) does not consist of words of 16 bits: write endian: big or little")
        try check(bits.isEmpty || count == nil, "count", Field.adviceForLists)
        try check(bits.isEmpty || unsignedType != nil, "bits", "only unsigned whole numbers have bits")
        try check(
            checksum == nil || (unsignedType != nil && isPlain), "checksum",
            "a checksum is an unsigned whole number without scale, offset, values, bits and count")
        try check(
            !isSize || (unsignedType != nil && isPlain), "size",
            "a size is an unsigned whole number without scale, offset, values, bits and count")
        try check(
            type != .calculated || formula != nil, "value",
            "the type number needs a formula; a number in the bytes has a size, such as uint16")
        try check(
            !isCalculated || [.calculated, .value(.boolean)].contains(type), "type",
            "a calculated value has no bytes: write number or boolean, not \(type.word)")
        try check(
            !isCalculated || (length == nil && count == nil && !isOptional), "value",
            "a calculated value has no bytes: remove length, count and optional")
        try check(
            formula == nil || isCalculated
                || (bits.isEmpty && count == nil && checksum == nil && !isSize && fields == nil), "value",
            "only a number, a text or bytes can have a formula: remove bits, count, checksum, size and fields")
        try check(
            (type == .record) == (fields != nil), "fields",
            type == .record ? "a record needs its fields" : "only a record has fields")
    }

    /// Checks `min` and `max`.
    private func checkLimits(
        isNumber: Bool, _ check: (Bool, String, String) throws(FormatError) -> Void
    ) throws(FormatError) {
        let key = least == nil ? "max" : "min"
        try check(isNumber && bits.isEmpty && values == nil, key, "only numbers without names have limits")
        try check(checksum == nil && !isSize, key, "a checksum and a size have no limits: other bytes determine them")
        guard let limits = Limits(from: least, to: greatest, of: Meaning(scale, offset: offset), in: integerRange)
        else {
            return try check(
                false, key, "the type \(type.word) needs both min and max, because its bytes have no limits to show")
        }
        if let problem = limits.problem { try check(false, problem.key, problem.message) }
    }

    private var integerRange: ClosedRange<Int128>? {
        if case .number(let type) = type { type.integerRange } else { nil }
    }

    private func content(at index: Int) throws(FormatError) -> Field.Content {
        if let formula, isCalculated { return .formula(Formula(formula, isBoolean: type != .calculated, meaning)) }
        if let type = unsignedType {
            if let checksum { return .checksum(checksum, type, unknown: unknown) }
            if isSize { return .size(type) }
            if !bits.isEmpty { return .bits(BitSet(type, isShown ? bits : bits.map(\.hidden))) }
        }
        switch type {
        case .number(let type): return .number(Number(type, endian: byteOrder, meaning))
        case .value(.timestamp) where scale != 1 || offset != 0 || length != nil || !unknown.isEmpty:
            return .timestamp(Number(timestampType ?? .uint32, endian: byteOrder, meaning))
        case .value(let type): return .value(type, byteOrder)
        case .text(.utf8) where terminator != nil: return .terminatedText(by: terminator ?? 0)
        case .text(let type): return .text(type, byteOrder, length: length)
        case .decimal: return .decimal(meaning, length: length, terminator: terminator)
        case .terminatedText: return length.map { .text(.utf8, byteOrder, length: $0) } ?? .terminatedText(by: 0)
        case .address: return .address(byteOrder, unknown: unknown)
        case .record where fields != nil: return .record(fields ?? Format([]), length: length)
        case .record, .calculated: preconditionFailure("\(name) has no fields or no formula although it was validated")
        }
    }

    /// The number of a timestamp with a configured length; nil for a length that no number has.
    private var timestampType: NumberType? {
        guard case .exactly(let bytes)? = length else { return length == nil ? .uint32 : nil }
        return NumberType.allCases.first { $0.isInteger && !$0.isSigned && $0.size == bytes }
    }

    private var meaning: Meaning {
        var meaning = Meaning(scale, offset: offset, unknown: unknown)
        meaning.values = values
        if least != nil || greatest != nil {
            Limits(from: least, to: greatest, of: meaning, in: integerRange)?.apply(to: &meaning)
        }
        return meaning
    }
}

extension FieldType {
    fileprivate var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    fileprivate var isInteger: Bool {
        if case .number(let type) = self { type.isInteger } else { false }
    }

    /// Whether a format may specify the length of a field of this type.
    fileprivate var hasLength: Bool {
        switch self {
        case .text, .terminatedText, .decimal, .record, .calculated, .value(.timestamp): true
        case .number, .value, .address: false
        }
    }
}
