extension Field {
    /// Adds the bytes of the field, or of all of its repetitions.
    func encode(_ value: Value, to bytes: inout [UInt8], with known: KnownNumbers) throws(EncodingError) {
        guard let count else { return try encodeElement(value, to: &bytes, with: known) }
        guard case .list(let elements) = value else { throw invalid("a list", value) }
        if case .exactly(let count) = count, elements.count != count { throw invalid("a list of \(count)", value) }
        for element in elements { try encodeElement(element, to: &bytes, with: known) }
    }

    private func encodeElement(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        switch type {
        case .boolean:
            guard let isTrue = value.truth else { throw invalid("true or false", value) }
            bytes.append(isTrue ? 1 : 0)
        case .utf8, .utf8z: try encodeText(value, to: &bytes)
        case .bytes: try encodeBytes(value, to: &bytes)
        case .date: bytes.append(try encodeDate(value), size: 3, endian: endian)
        case .dateTime: try encodeDateTime(value, to: &bytes)
        case .timestamp: bytes.append(try encodeTimestamp(value), size: 4, endian: endian)
        case .exponentialTime: bytes.append(try encodeExponentialTime(value))
        case .address: bytes.append(try encodeAddress(value), size: 6, endian: endian)
        case .uuid: try encodeUUID(value, to: &bytes)
        case .compressedURL: try encodeURL(value, to: &bytes)
        case .version: try encodeVersion(value, to: &bytes)
        case .float16, .float32, .float64, .medfloat16, .medfloat32: try encodeFloat(value, to: &bytes)
        case .record: try encodeRecord(value, to: &bytes, with: known)
        default: try encodeInteger(value, to: &bytes)
        }
    }

    func invalid(_ expected: String, _ value: Value) -> EncodingError {
        .invalid(field: name, expected: expected, found: value.description)
    }

    private func encodeInteger(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let limits = type.integerRange, let size = type.size else {
            preconditionFailure("\(name) is written as a whole number, but is a \(type.rawValue)")
        }
        bytes.append(try meaning.raw(for: value, in: limits, field: name), size: size, endian: endian)
    }

    private func encodeText(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard case .string(let text) = value else { throw invalid("a text", value) }
        let content = Array(text.utf8)
        if type == .utf8z, content.contains(0) { throw invalid("a text without NUL", value) }
        try append(content, of: value, "a text of at most", to: &bytes)
        if type == .utf8z { bytes.append(0) }
    }

    private func encodeBytes(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let content = value.bytes else { throw invalid("bytes in hexadecimal digits", value) }
        if case .exactly(let length) = length, content.count != length { throw invalid("\(length) bytes", value) }
        bytes += content
    }

    /// Adds a text, and NULs up to its fixed length.
    private func append(
        _ content: [UInt8], of value: Value, _ expectation: String, to bytes: inout [UInt8]
    ) throws(EncodingError) {
        bytes += content
        guard case .exactly(let length) = length else { return }
        if content.count > length { throw invalid("\(expectation) \(length) bytes", value) }
        bytes += [UInt8](repeating: 0, count: length - content.count)
    }

    private func encodeRecord(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        guard let record, case .record(let members) = value else { throw invalid("an object", value) }
        let content = try record.encodeFields(members, with: known)
        if case .exactly(let length) = length, content.count != length {
            throw invalid("an object of \(length) bytes", value)
        }
        bytes += content
    }

    /// What stands on the air for a field that no reading shows, and whose value nothing tells.
    var placeholder: [UInt8] {
        get throws(EncodingError) {
            guard let size = fixedSize else { throw .missing(field: name) }
            var bytes: [UInt8] = []
            bytes.append(meaning.placeholder, size: size, endian: endian)
            return bytes
        }
    }
}

extension Meaning {
    /// The raw number that stands there when nobody says one: "not known", the least that is allowed, or 0.
    var placeholder: Int128 {
        unknown.first ?? range?.lowerBound.subtracting(offset)?.steps(of: scale) ?? 0
    }
}

extension Value {
    /// Bytes as they are, or as hexadecimal digits; nil for anything else.
    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .string(let text): [UInt8](hexadecimal: text)
        default: nil
        }
    }
}
