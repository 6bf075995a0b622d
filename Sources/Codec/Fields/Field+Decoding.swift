import Bluetooth
import JSON

extension Field {
    /// Decodes the field; a field with a count is decoded as a list.
    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, with known: KnownNumbers) throws(DecodingError) -> Value
    {
        guard let count else { return try decodeElement(bytes, at: &cursor, with: known) }
        var elements: [Value] = []
        let number = try known.number(of: count, for: name)
        while number.map({ elements.count < $0 }) ?? (cursor.remaining > 0) {
            let before = cursor.position
            elements.append(try decodeElement(bytes, at: &cursor, with: known))
            guard cursor.position == before else { continue }
            // In a list without a count, elements without bytes would be repeated forever.
            guard number != nil, !isRecord, elements.count <= Self.maximumEmptyElements else {
                throw .invalid(field: name, "an element of the list has no bytes")
            }
        }
        return .list(elements)
    }

    /// The maximum number of elements without bytes in a list.
    private static let maximumEmptyElements = 512

    private var isRecord: Bool {
        if case .record = content { true } else { false }
    }

    private func decodeElement(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, with known: KnownNumbers
    ) throws(DecodingError) -> Value {
        switch content {
        case .number(let number): return try number.decode(bytes, at: &cursor, field: name)
        case .value(let type, let endian):
            let start = try cursor.take(type.size, for: name)
            return try type.decode(bytes, at: start, endian: endian, field: name)
        case .timestamp(let number):
            return try UnixTime.decode(try number.decode(bytes, at: &cursor, field: name), number.meaning, field: name)
        case .constant(let pattern):
            let start = try cursor.take(pattern.count, for: name)
            if pattern.matches(bytes, at: start) { return .null }
            let found = (start..<start + pattern.count).map { bytes[$0] }.hexadecimal.uppercased()
            throw .invalid(field: name, "expected the bytes \(pattern), found \(found)")
        case .text(let type, let endian, let length):
            let size = try known.number(of: length ?? .toTheEnd, for: name) ?? cursor.remaining
            let start = try cursor.take(size, for: name)
            return try type.decode(bytes, start..<start + size, endian: endian, field: name)
        case .terminatedText(let terminator):
            return try TextType.text(bytes.extracting(cursor.take(until: terminator, bytes)), field: name)
        case .decimal(let meaning, let length, let terminator):
            let place: Range<Int>
            if let terminator {
                place = cursor.take(until: terminator, bytes)
            } else {
                let size = try known.number(of: length ?? .toTheEnd, for: name) ?? cursor.remaining
                let start = try cursor.take(size, for: name)
                place = start..<start + size
            }
            return try meaning.decode(text: try TextType.text(bytes.extracting(place), field: name), field: name)
        case .address(let endian, let unknown):
            let start = try cursor.take(6, for: name)
            let number = bytes.unsigned(at: start, size: 6, endian: endian)
            return unknown.contains(Int128(number)) ? .null : .string(Address(number).description)
        case .record(let format, let length):
            return try decode(format, of: length, bytes, at: &cursor, with: known)
        case .size(let type): return try decodeSize(type, bytes, at: &cursor)
        case .checksum(let checksum, let type, let unknown):
            return try decode(checksum, type, unknown, bytes, at: &cursor)
        case .bits, .objects, .json, .formula:
            preconditionFailure("\(name): the format decodes bits, objects, JSON and formulas")
        }
    }

    private func decode(
        _ record: Format, of length: Extent?, _ bytes: Span<UInt8>, at cursor: inout Cursor, with known: KnownNumbers
    ) throws(DecodingError) -> Value {
        let size = try known.number(of: length ?? .toTheEnd, for: name) ?? cursor.remaining
        var inner = try cursor.takeRecord(size, for: name)
        let members = try record.decodeFields(bytes, at: &inner, with: known)
        // A record without a length ends where its last field ends.
        if length == nil { cursor.position = inner.position }
        let end = length == nil ? inner.end : inner.start + size
        if length != nil || inner.end < cursor.end { try inner.finish() }
        guard inner.end == end else { throw .tooLong(expected: inner.position - inner.start, found: size) }
        return .record(Record(members.map { ($0.name, $0.value) }))
    }

    private func decodeSize(
        _ type: UnsignedType, _ bytes: Span<UInt8>, at cursor: inout Cursor
    ) throws(DecodingError) -> Value {
        let size = try type.decode(bytes, at: &cursor, field: name)
        let consumed = cursor.position - cursor.start
        guard size >= consumed, size <= cursor.end - cursor.start else {
            throw .invalid(
                field: name, "the size is \(size.inBytes), but the record has \((cursor.end - cursor.start).inBytes)")
        }
        cursor.end = cursor.start + Int(size)
        return .number(Decimal(size))
    }

    private func decode(
        _ checksum: Checksum, _ type: UnsignedType, _ unknown: [Int128], _ bytes: Span<UInt8>, at cursor: inout Cursor
    ) throws(DecodingError) -> Value {
        let covered = (cursor.start..<cursor.position).dropFirst(checksum.first).map { bytes[$0] }
        let found = try type.decode(bytes, at: &cursor, field: name)
        if unknown.contains(found) { return .null }
        let expected = Int128(checksum(covered)) & type.range.upperBound
        guard found == expected else {
            throw .invalid(field: name, "wrong checksum: expected \(expected), found \(found)")
        }
        return .number(Decimal(found))
    }
}

extension KnownNumbers {
    /// Returns the length or the count that an extent specifies; nil for `toTheEnd`.
    fileprivate func number(of extent: Extent, for field: String) throws(DecodingError) -> Int? {
        switch extent {
        case .exactly(let number): return number
        case .toTheEnd: return nil
        case .field(let name):
            // An absent or unknown length means that there are no bytes.
            guard let number = self[name] else { return 0 }
            return try whole(number, of: name, for: field)
        case .formula(let formula):
            guard let number = formula.value(with: self) else {
                throw .invalid(field: field, "\(formula.text.quotedForMessage) has no result")
            }
            return try whole(number, of: formula.text, for: field)
        }
    }

    private func whole(_ number: Decimal, of name: String, for field: String) throws(DecodingError) -> Int {
        guard let whole = number.integer, 0...0xFFFF ~= whole else {
            throw .invalid(field: field, "\(name) is \(number), not a number from 0 to 65535")
        }
        return whole
    }
}
