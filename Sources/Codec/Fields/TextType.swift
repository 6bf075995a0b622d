import Bluetooth

/// The encoding of a value whose length is determined by the format, by another field, or by the end of the bytes.
package enum TextType: String, Hashable, Sendable, CaseIterable {
    /// Text in UTF-8.
    case utf8
    /// Text in UTF-16, two or four bytes a character.
    case utf16
    /// Raw bytes.
    case bytes
    /// A UUID of 2, 4 or 16 bytes.
    case uuid
    /// A version such as `1.2.3`: one byte for each part, the last part first.
    case version
    /// The URL of an Eddystone beacon (Eddystone-URL).
    case compressedURL = "compressed_url"
}

extension TextType {
    func decode(
        _ bytes: Span<UInt8>, _ place: Range<Int>, endian: Field.Endian, field: String
    ) throws(DecodingError) -> Value {
        switch self {
        case .utf8: return try Self.text(bytes.extracting(place), field: field)
        case .utf16: return try Self.wideText(bytes, place, endian: endian, field: field)
        case .bytes: return .bytes(place.map { bytes[$0] })
        case .uuid:
            let content = place.map { bytes[$0] }
            guard let uuid = UUID(littleEndian: endian == .little ? content : content.reversed()) else {
                throw .invalid(field: field, "expected a UUID of 2, 4 or 16 bytes, found \(content.count.inBytes)")
            }
            return .string(uuid.description)
        case .version:
            if place.isEmpty { throw .invalid(field: field, "expected a version of at least 1 byte, found 0 bytes") }
            return .string(place.reversed().map { String(bytes[$0]) }.joined(separator: "."))
        case .compressedURL:
            guard let url = CompressedURL.decode(place.map({ bytes[$0] })) else {
                throw .invalid(field: field, "the bytes are not an Eddystone URL")
            }
            return .string(url)
        }
    }

    /// Decodes text in UTF-8 up to its first NUL: the bytes after the NUL are the rest of a longer, earlier text.
    ///
    /// Bytes 0xFF at the end, the content of erased memory, are no text.
    static func text(_ bytes: Span<UInt8>, field: String) throws(DecodingError) -> Value {
        var end = 0
        while end < bytes.count, bytes[end] != 0 { end += 1 }
        while end > 0, bytes[end - 1] == 0xFF { end -= 1 }
        guard let text = try? UTF8Span(validating: bytes.extracting(0..<end)) else {
            throw .invalid(field: field, "the text is not UTF-8")
        }
        return .string(String(copying: text))
    }

    private static func wideText(
        _ bytes: Span<UInt8>, _ place: Range<Int>, endian: Field.Endian, field: String
    ) throws(DecodingError) -> Value {
        var units = stride(from: place.lowerBound, to: place.upperBound - 1, by: 2).map {
            UInt16(bytes.unsigned(at: $0, size: 2, endian: endian))
        }
        if let end = units.firstIndex(of: 0) { units.removeSubrange(end...) }
        guard place.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw .invalid(field: field, "the text is not UTF-16")
        }
        return .string(text)
    }

    /// Appends the bytes of a value; the length in bytes is nil for a value of any length.
    func encode(
        _ value: Value, of length: Int?, to bytes: inout [UInt8], endian: Field.Endian, field: String
    ) throws(EncodingError) {
        func invalid(_ expected: String) -> EncodingError {
            .invalid(field: field, expected: expected, found: value.description)
        }
        switch self {
        case .utf8, .utf16:
            guard case .string(let text) = value else { throw invalid("a text") }
            if text.utf8.contains(0) { throw invalid("a text without NUL") }
            let content = encoded(text, endian: endian)
            bytes += content
            guard let length else { return }
            if content.count > length { throw invalid("a text of at most \(length.inBytes)") }
            // The length may come from the value of another field, which can be any number.
            if length > Format.maximumLength { throw .tooLong(field: field) }
            bytes += [UInt8](repeating: 0, count: length - content.count)
        case .bytes:
            guard let content = value.bytes else { throw invalid("bytes in hexadecimal digits") }
            if let length, content.count != length { throw invalid(length.inBytes) }
            bytes += content
        case .uuid:
            guard case .string(let text) = value, let uuid = UUID(text) else { throw invalid("a UUID such as 2A6E") }
            guard let content = uuid.bytes(of: length) else { throw invalid("a UUID of \((length ?? 0).inBytes)") }
            bytes += endian == .little ? content : content.reversed()
        case .version:
            guard case .string(let text) = value, let parts = Self.parts(ofVersion: text),
                length ?? parts.count == parts.count
            else { throw invalid("a version such as 1.2.3") }
            bytes += parts.reversed()
        case .compressedURL:
            guard case .string(let text) = value, let content = CompressedURL.encode(text) else {
                throw invalid("a URL in ASCII")
            }
            bytes += content
        }
    }

    private func encoded(_ text: String, endian: Field.Endian) -> [UInt8] {
        guard self == .utf16 else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for unit in text.utf16 { bytes.append(Int128(unit), size: 2, endian: endian) }
        return bytes
    }

    private static func parts(ofVersion text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return !parts.isEmpty && parts.map(String.init).joined(separator: ".") == text ? parts : nil
    }
}

extension UUID {
    /// Returns the UUID in `length` bytes, least significant byte first; nil if the UUID does not fit.
    fileprivate func bytes(of length: Int?) -> [UInt8]? {
        let shortest = littleEndianBytes
        guard let length, shortest.count != length else { return shortest }
        // In this byte order, a short UUID consists of the last bytes of the full UUID.
        let full = fullLittleEndianBytes
        guard length == full.count || (length == 4 && shortest.count == 2) else { return nil }
        return full.suffix(length)
    }
}
