import Bluetooth

extension Field {
    /// Encodes a value of the field; for a field with a count, the value must be a list.
    func encode(_ value: Value, to bytes: inout [UInt8], with known: KnownNumbers) throws(EncodingError) {
        guard let count else { return try encodeElement(value, to: &bytes, with: known) }
        guard case .list(let elements) = value else { throw invalid("a list", value) }
        if let number = try known.number(of: count, for: name), elements.count != number {
            throw invalid("a list of \(number) \(number == 1 ? "element" : "elements")", value)
        }
        for element in elements { try encodeElement(element, to: &bytes, with: known) }
    }

    private func encodeElement(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        try encodeContent(value, to: &bytes, with: known)
        // Checked after each element: another field's value may give every element of a list a large length.
        if bytes.count > Format.maximumLength { throw .tooLong(field: name) }
    }

    private func encodeContent(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        switch content {
        case .number(let number): try number.encode(value, to: &bytes, field: name)
        case .value(let type, let endian): try type.encode(value, to: &bytes, endian: endian, field: name)
        case .timestamp(let number):
            let seconds = try UnixTime.number(for: value, number.meaning, field: name)
            try number.encode(seconds, to: &bytes, field: name)
        case .constant(let pattern): bytes += pattern.content
        case .text(let type, let endian, let length):
            try type.encode(value, of: known.number(of: length, for: name), to: &bytes, endian: endian, field: name)
        case .terminatedText(let terminator):
            guard case .string(let text) = value else { throw invalid("a text", value) }
            if text.utf8.contains(0) { throw invalid("a text without NUL", value) }
            let character = String(Unicode.Scalar(terminator))
            if text.utf8.contains(terminator) { throw invalid("a text without '\(character)'", value) }
            bytes += Array(text.utf8) + [terminator]
        case .decimal(let meaning, let length, let terminator):
            let text = Value.string(try meaning.text(of: value, field: name))
            let size = try known.number(of: length, for: name)
            try TextType.utf8.encode(text, of: size, to: &bytes, endian: .little, field: name)
            if let terminator { bytes.append(terminator) }
        case .address(let endian, let unknown):
            bytes.append(try address(value, unknown: unknown), size: 6, endian: endian)
        case .record(let record, let length):
            guard case .record(let members) = value else { throw invalid("an object", value) }
            let content = try record.encodeFields(members, with: known)
            if let length = try known.number(of: length, for: name), content.count != length {
                throw invalid("an object of \(length.inBytes)", value)
            }
            bytes += content
        case .size(let type): try encode(value, as: type, unknown: [], to: &bytes)
        case .checksum(_, let type, let unknown): try encode(value, as: type, unknown: unknown, to: &bytes)
        case .bits, .objects, .json, .formula:
            preconditionFailure("\(name): the format encodes bits, objects, JSON and formulas")
        }
    }

    func invalid(_ expected: String, _ value: Value) -> EncodingError {
        .invalid(field: name, expected: expected, found: value.description)
    }

    private func encode(
        _ value: Value, as type: UnsignedType, unknown: [Int128], to bytes: inout [UInt8]
    ) throws(EncodingError) {
        var meaning = Meaning()
        meaning.unknown = unknown
        let raw = try meaning.raw(for: value, in: type.range, field: name)
        bytes.append(raw, size: type.size, endian: type.endian)
    }

    private func address(_ value: Value, unknown: [Int128]) throws(EncodingError) -> Int128 {
        if value == .null, let number = unknown.first { return number }
        guard case .string(let text) = value, let address = Address(text) else {
            throw invalid("an address such as C0:00:00:00:00:01", value)
        }
        return Int128(address.value)
    }

    /// The bytes of a field that no reading shows and that no other field determines.
    var placeholder: [UInt8] {
        get throws(EncodingError) {
            guard let size = fixedSize else {
                // Hidden bytes up to the end have no bytes of their own.
                if case .text(_, _, let length) = content, length ?? .toTheEnd == .toTheEnd { return [] }
                throw .missing(field: name)
            }
            var bytes: [UInt8] = []
            switch content {
            case .constant(let pattern): bytes = pattern.content
            case .timestamp(let number): bytes.append(number.placeholder, size: size, endian: number.endian)
            case .number(let number): bytes.append(number.placeholder, size: size, endian: number.endian)
            case .address(let endian, let unknown): bytes.append(unknown.first ?? 0, size: size, endian: endian)
            default: bytes = [UInt8](repeating: 0, count: size)
            }
            return bytes
        }
    }
}

extension Meaning {
    /// The raw number for a value that neither the record nor another field determines.
    ///
    /// The raw number is the only number with a name, else the first number for "not known", else that of the least
    /// allowed value, else 0.
    var placeholder: Int128 {
        if let values, values.entries.count == 1 { return Int128(values.entries[0].number) }
        return unknown.first ?? range?.lowerBound.subtracting(offset)?.steps(of: scale) ?? 0
    }
}

extension KnownNumbers {
    /// Returns the length or the count that an extent specifies; nil if the length or the count follows from the value.
    ///
    /// - Throws: `EncodingError.needs` if a formula has no result: the numbers in it do not follow from the value.
    fileprivate func number(of extent: Extent?, for field: String) throws(EncodingError) -> Int? {
        switch extent {
        case .exactly(let number): return number
        case .field(let name): return self[name]?.integer
        case .formula(let formula):
            guard let number = formula.value(with: self)?.integer else {
                let missing = formula.names.filter { value(of: $0) == nil }.sorted().joined(separator: ", ")
                throw .needs(field: field, missing.isEmpty ? "a result of \(formula.text.quotedForMessage)" : missing)
            }
            return number
        case .toTheEnd, nil: return nil
        }
    }
}

extension Value {
    /// The bytes of a value of bytes or of a text in hexadecimal digits; nil for any other value.
    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .string(let text): [UInt8](hexadecimal: text)
        default: nil
        }
    }
}
