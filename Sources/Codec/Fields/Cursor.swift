/// A place in a record's bytes: where the record begins, what comes next, and where it ends.
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

    /// The place of the next bytes, which it passes over.
    mutating func take(_ size: Int, for field: String) throws(DecodingError) -> Int {
        guard remaining >= size else {
            throw .tooShort(field: field, expected: position - start + size, found: end - start)
        }
        defer { position += size }
        return position
    }

    /// A cursor of the next bytes alone, which this one passes over.
    mutating func takeRecord(_ size: Int, for field: String) throws(DecodingError) -> Cursor {
        let first = try take(size, for: field)
        return Cursor(first..<first + size)
    }

    /// Throws if there is something left.
    func finish() throws(DecodingError) {
        guard position == end else { throw .tooLong(expected: position - start, found: end - start) }
    }
}
