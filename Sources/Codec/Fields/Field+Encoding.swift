extension Field {
    /// Adds the bytes of the field, or of all of its repetitions.
    func encode(_ value: Value, to bytes: inout [UInt8], with known: KnownNumbers) throws(EncodingError) {
        guard let count else { return try encodeElement(value, to: &bytes, with: known) }
        guard case .list(let elements) = value else { throw invalid("a list", value) }
        if let number = known.announced(count), elements.count != number { throw invalid("a list of \(number)", value) }
        for element in elements { try encodeElement(element, to: &bytes, with: known) }
    }

    private func encodeElement(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        try encodeContent(value, to: &bytes, with: known)
        // At once: of a list each element may be as long as another value says.
        if bytes.count > Format.mostBytes { throw .tooLong(field: name) }
    }

    private func encodeContent(
        _ value: Value, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        let length = known.announced(length)
        switch type {
        case .boolean:
            guard let isTrue = value.truth else { throw invalid("true or false", value) }
            bytes.append(isTrue ? 1 : 0)
        case .utf8, .utf16, .utf8z: try encodeText(value, of: length, to: &bytes)
        case .bytes: try encodeBytes(value, of: length, to: &bytes)
        case .date: bytes.append(try encodeDate(value), size: 3, endian: endian)
        case .dateTime: try encodeDateTime(value, to: &bytes)
        case .timestamp: bytes.append(try encodeTimestamp(value), size: 4, endian: endian)
        case .exponentialTime: bytes.append(try encodeExponentialTime(value))
        case .address: bytes.append(try encodeAddress(value), size: 6, endian: endian)
        case .uuid: try encodeUUID(value, of: length, to: &bytes)
        case .compressedURL: try encodeURL(value, to: &bytes)
        case .version: try encodeVersion(value, of: length, to: &bytes)
        case .packedVersion: bytes.append(try encodePackedVersion(value), size: 3, endian: endian)
        case .float16, .float32, .float64, .medfloat16, .medfloat32: try encodeFloat(value, to: &bytes)
        case .record: try encodeRecord(value, of: length, to: &bytes, with: known)
        default: try encodeInteger(value, to: &bytes)
        }
    }

    func invalid(_ expected: String, _ value: Value) -> EncodingError {
        .invalid(field: name, expected: expected, found: value.description)
    }

    private func encodeInteger(_ value: Value, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let limits = integerRange, let size = type.size else {
            preconditionFailure("\(name) is written as a whole number, but is a \(type.rawValue)")
        }
        let raw = try meaning.raw(for: value, in: limits, field: name)
        bytes.append(usedBits.map { raw.lowest(Int($0), isSigned: false) } ?? raw, size: size, endian: endian)
    }

    /// Adds a text, and NULs up to its length.
    private func encodeText(_ value: Value, of length: Int?, to bytes: inout [UInt8]) throws(EncodingError) {
        guard case .string(let text) = value else { throw invalid("a text", value) }
        var content: [UInt8] = []
        if type == .utf16 {
            for unit in text.utf16 { content.append(Int128(unit), size: 2, endian: endian) }
        } else {
            content += text.utf8
        }
        if type == .utf8z, content.contains(0) { throw invalid("a text without NUL", value) }
        bytes += content
        if type == .utf8z { bytes.append(0) }
        guard let length else { return }
        if content.count > length { throw invalid("a text of at most \(length) bytes", value) }
        // The length may be one of the values, and anything.
        if length > Format.mostBytes { throw .tooLong(field: name) }
        bytes += [UInt8](repeating: 0, count: length - content.count)
    }

    private func encodeBytes(_ value: Value, of length: Int?, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let content = value.bytes else { throw invalid("bytes in hexadecimal digits", value) }
        if let length, content.count != length { throw invalid("\(length) bytes", value) }
        bytes += content
    }

    private func encodeRecord(
        _ value: Value, of length: Int?, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        guard let record, case .record(let members) = value else { throw invalid("an object", value) }
        let content = try record.encodeFields(members, with: known)
        if let length, content.count != length { throw invalid("an object of \(length) bytes", value) }
        bytes += content
    }

    /// What stands on the air for a field that no reading shows, and whose value nothing tells.
    var placeholder: [UInt8] {
        get throws(EncodingError) {
            guard let size = fixedSize else { throw .missing(field: name) }
            var bytes: [UInt8] = []
            let raw = [.medfloat16, .medfloat32].contains(type) ? Int128(notANumber) : meaning.placeholder
            bytes.append(raw, size: size, endian: endian)
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

extension KnownNumbers {
    /// How much an extent is, where that is said; nil: as much as there is.
    fileprivate func announced(_ extent: Extent?) -> Int? {
        switch extent {
        case .exactly(let number): number
        case .field(let name): self[name]?.integer
        case .toTheEnd, nil: nil
        }
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
