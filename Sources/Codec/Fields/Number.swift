/// The content of a field that is a number.
@dynamicMemberLookup
package struct Number: Hashable, Sendable {
    package var type: NumberType
    package var endian = Field.Endian.little
    /// The number of low bits that contain a whole number; nil for all bits.
    ///
    /// The other bits are written as 0 and ignored when read.
    package var usedBits: UInt8?
    private var box: Box

    package var meaning: Meaning {
        get { box.meaning }
        set { box = Box(newValue) }
    }

    /// A meaning outside the field, which is copied for each decoded value.
    private final class Box: Hashable, Sendable {
        let meaning: Meaning

        init(_ meaning: Meaning) {
            self.meaning = meaning
        }

        static func == (left: Box, right: Box) -> Bool { left === right || left.meaning == right.meaning }
        func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
    }

    package init(_ type: NumberType, endian: Field.Endian = .little, _ meaning: Meaning = Meaning()) {
        self.type = type
        self.endian = endian
        box = Box(meaning)
    }

    package subscript<Part>(dynamicMember part: WritableKeyPath<Meaning, Part>) -> Part {
        get { meaning[keyPath: part] }
        set { meaning[keyPath: part] = newValue }
    }

    /// The raw numbers that the field can represent; nil for a floating-point number.
    package var integerRange: ClosedRange<Int128>? {
        guard let range = type.integerRange, let usedBits else { return type.integerRange }
        let unused = 8 * type.size - Int(usedBits)
        return range.lowerBound >> unused...range.upperBound >> unused
    }
}

extension Number {
    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, field: String) throws(DecodingError) -> Value {
        let start = try cursor.take(type.size, for: field)
        guard type.isInteger else {
            let bits = bytes.unsigned(at: start, size: type.size, endian: endian)
            guard let number = type.number(bits: bits) else { return .null }
            return try box.meaning.value(of: number, field: field)
        }
        let raw =
            type.isSigned
            ? Int128(bytes.signed(at: start, size: type.size, endian: endian))
            : Int128(bytes.unsigned(at: start, size: type.size, endian: endian))
        guard let usedBits else { return try box.meaning.value(of: raw, field: field) }
        return try box.meaning.value(of: raw.lowest(Int(usedBits), isSigned: type.isSigned), field: field)
    }

    func encode(_ value: Value, to bytes: inout [UInt8], field: String) throws(EncodingError) {
        guard let limits = integerRange else { return try encodeFloat(value, to: &bytes, field: field) }
        let raw = try meaning.raw(for: value, in: limits, field: field)
        bytes.append(usedBits.map { raw.lowest(Int($0), isSigned: false) } ?? raw, size: type.size, endian: endian)
    }

    private func encodeFloat(_ value: Value, to bytes: inout [UInt8], field: String) throws(EncodingError) {
        let bits: UInt64?
        switch value {
        case .null: bits = type.notANumber
        case .number(let number) where meaning.allows(number):
            bits = number.subtracting(meaning.offset)?.divided(by: meaning.scale).flatMap(type.bits)
        default: bits = nil
        }
        guard let bits else {
            let expected = meaning.range == nil ? "a number that fits \(type.rawValue)" : meaning.expectation(nil)
            throw .invalid(field: field, expected: expected, found: value.description)
        }
        bytes.append(Int128(bits), size: type.size, endian: endian)
    }

    /// The raw number of a field that no reading shows and that no other field determines.
    var placeholder: Int128 {
        switch type {
        case .medfloat16, .medfloat32: Int128(type.notANumber)
        default: meaning.placeholder
        }
    }
}

extension NumberType {
    /// Returns the number of a floating-point type with these bits; nil for a special value.
    fileprivate func number(bits: UInt64) -> Decimal? {
        switch self {
        case .float16: Decimal(Float(Float16(bitPattern: UInt16(bits))))
        case .float32: Decimal(Float(bitPattern: UInt32(bits)))
        case .float64: Decimal(Double(bitPattern: bits))
        case .medfloat16: MedicalFloat.sfloat.decode(UInt32(bits))
        default: MedicalFloat.float.decode(UInt32(bits))
        }
    }

    /// Returns the bits of the nearest number of a floating-point type; nil if the number is too large.
    fileprivate func bits(of number: Decimal) -> UInt64? {
        switch self {
        case .float16: Float16(number.doubleValue).isFinite ? UInt64(Float16(number.doubleValue).bitPattern) : nil
        case .float32: Float(number.description).flatMap { $0.isFinite ? UInt64($0.bitPattern) : nil }
        case .float64: number.doubleValue.isFinite ? number.doubleValue.bitPattern : nil
        case .medfloat16: MedicalFloat.sfloat.encode(number).map(UInt64.init)
        default: MedicalFloat.float.encode(number).map(UInt64.init)
        }
    }

    /// The bits of "not a number" in a floating-point type.
    fileprivate var notANumber: UInt64 {
        switch self {
        case .float16: UInt64(Float16.nan.bitPattern)
        case .float32: UInt64(Float.nan.bitPattern)
        case .float64: Double.nan.bitPattern
        case .medfloat16: UInt64(MedicalFloat.sfloat.nan)
        default: UInt64(MedicalFloat.float.nan)
        }
    }
}
