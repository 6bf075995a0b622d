extension Field {
    /// Reads the field, or all of its repetitions.
    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, with known: KnownNumbers) throws(DecodingError) -> Value
    {
        guard let count else { return try decodeElement(bytes, at: &cursor, with: known) }
        var elements: [Value] = []
        let number = try known.number(of: count, for: name)
        while number.map({ elements.count < $0 }) ?? (cursor.remaining > 0) {
            let before = cursor.position
            elements.append(try decodeElement(bytes, at: &cursor, with: known))
            guard cursor.position == before else { continue }
            // Elements without bytes would never come to an end, or be as many as other bytes say.
            guard number != nil, record == nil, elements.count <= Self.mostWithoutBytes else {
                throw .invalid(field: name, "an element of the list has no bytes")
            }
        }
        return .list(elements)
    }

    /// How many empty texts a list may have, one after the other.
    private static let mostWithoutBytes = 512

    /// Reads a whole number as it is on the air.
    func decodeRaw(_ bytes: Span<UInt8>, at cursor: inout Cursor) throws(DecodingError) -> Int128 {
        guard let size = type.size else {
            preconditionFailure("\(name) is read as a number, but is a \(type.rawValue)")
        }
        let start = try cursor.take(size, for: name)
        let raw =
            type.isSigned
            ? Int128(bytes.signed(at: start, size: size, endian: endian))
            : Int128(bytes.unsigned(at: start, size: size, endian: endian))
        return usedBits.map { raw.lowest(Int($0), isSigned: type.isSigned) } ?? raw
    }

    private func decodeElement(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, with known: KnownNumbers
    ) throws(DecodingError) -> Value {
        if checksum != nil { return try decodeChecksum(bytes, at: &cursor) }
        if isSizeOfRecord { return try decodeSize(bytes, at: &cursor) }
        if type.isInteger { return try meaning.value(of: decodeRaw(bytes, at: &cursor), field: name) }
        let size =
            if let size = type.size { size } else { try size(bytes, at: cursor, with: known) }
        if let record {
            var inner = try cursor.takeRecord(size, for: name)
            let members = try record.decodeFields(bytes, at: &inner, with: known)
            // A record without a length of its own ends where its fields end.
            if length == nil { cursor.position = inner.position }
            let end = length == nil ? inner.end : inner.start + size
            if length != nil || inner.end < cursor.end { try inner.finish() }
            guard inner.end == end else { throw .tooLong(expected: inner.position - inner.start, found: size) }
            return .record(Record(members.map { ($0.name, $0.value) }))
        }
        let start = try cursor.take(size, for: name)
        return try decodeOther(bytes, start..<start + size)
    }

    /// The bytes of a field whose type has no size of its own.
    private func size(
        _ bytes: Span<UInt8>, at cursor: Cursor, with known: KnownNumbers
    ) throws(DecodingError) -> Int {
        if type == .utf8z {
            let end = (cursor.position..<cursor.end).first { bytes[$0] == 0 }
            return end.map { $0 + 1 - cursor.position } ?? cursor.remaining
        }
        return try known.number(of: length ?? .toTheEnd, for: name) ?? cursor.remaining
    }

    private func decodeSize(_ bytes: Span<UInt8>, at cursor: inout Cursor) throws(DecodingError) -> Value {
        let size = try decodeRaw(bytes, at: &cursor)
        let consumed = cursor.position - cursor.start
        guard size >= consumed, size <= cursor.end - cursor.start else {
            throw .invalid(field: name, "\(size) bytes are announced, \(cursor.end - cursor.start) are there")
        }
        cursor.end = cursor.start + Int(size)
        return .number(Decimal(size))
    }

    private func decodeChecksum(_ bytes: Span<UInt8>, at cursor: inout Cursor) throws(DecodingError) -> Value {
        guard let checksum, let size = type.size else {
            preconditionFailure("\(name) is no checksum, or has no size")
        }
        let covered = (cursor.start..<cursor.position).map { bytes[$0] }
        let found = try decodeRaw(bytes, at: &cursor)
        if meaning.unknown.contains(found) { return .null }
        let expected = Int128(checksum(covered)) & ((1 << (8 * size)) - 1)
        guard found == expected else { throw .invalid(field: name, "the checksum is \(expected), not \(found)") }
        return .number(Decimal(found))
    }
}

extension KnownNumbers {
    /// How much an extent is; nil: to the end.
    fileprivate func number(of extent: Extent, for field: String) throws(DecodingError) -> Int? {
        switch extent {
        case .exactly(let number): return number
        case .toTheEnd: return nil
        case .field(let name):
            // What is not there, or not known, announces nothing.
            guard let number = self[name] else { return 0 }
            guard let whole = number.integer, 0...0xFFFF ~= whole else {
                throw .invalid(field: field, "\(name) announces \(number)")
            }
            return whole
        }
    }
}
