/// A position in the bytes of a record, and the limits of the record.
struct Cursor {
    let start: Int
    var position: Int
    var end: Int

    init(_ range: Range<Int>) {
        start = range.lowerBound
        position = range.lowerBound
        end = range.upperBound
    }

    var remaining: Int { end - position }

    /// Skips `size` bytes and returns the position of the first skipped byte.
    ///
    /// - Throws: `DecodingError.tooShort` if the record has fewer bytes left.
    mutating func take(_ size: Int, for field: String) throws(DecodingError) -> Int {
        guard remaining >= size else {
            throw .tooShort(field: field, expected: position - start + size, found: end - start)
        }
        defer { position += size }
        return position
    }

    /// Skips the bytes up to a terminator, and the terminator; returns the positions of the bytes before it.
    ///
    /// Without a terminator, all bytes up to the end are skipped.
    mutating func take(until terminator: UInt8, _ bytes: Span<UInt8>) -> Range<Int> {
        let start = position
        while position < end {
            position += 1
            if bytes[position - 1] == terminator { return start..<position - 1 }
        }
        return start..<position
    }

    /// Skips `size` bytes and returns a cursor whose limits are the skipped bytes.
    mutating func takeRecord(_ size: Int, for field: String) throws(DecodingError) -> Cursor {
        let first = try take(size, for: field)
        return Cursor(first..<first + size)
    }

    /// Checks that the cursor is at the end of the record.
    ///
    /// - Throws: `DecodingError.tooLong` if bytes are left.
    func finish() throws(DecodingError) {
        guard position == end else { throw .tooLong(expected: position - start, found: end - start) }
    }
}
