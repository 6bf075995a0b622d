package import Codec
package import Configuration

/// A frame that may begin at the start of a buffer: a shape whose formulas have been calculated.
package struct ExpectedFrame: Sendable {
    /// The result of a comparison of bytes with the frame.
    enum Verdict: Equatable {
        /// The bytes begin with the frame of this length; `content` is the frame without its checksum and its terminator.
        case frame(length: Int, content: [UInt8])
        /// More bytes are needed to decide.
        case incomplete
        case different(Difference)
    }

    /// The first part of a frame in which bytes differ from it.
    enum Difference {
        case start, length, end, checksum
    }

    private enum Length: Equatable {
        case exactly(Int)
        case field(Configuration.FrameShape.LengthField)
    }

    /// The first bytes: one of these patterns; any bytes if the list is empty.
    let start: [BytePattern]
    let shape: Configuration.FrameShape
    private let length: Length?
    /// Whether the frame means no; text that means no is found line by line in the answer.
    private let isRefusal: Bool
    /// Whether frames of text must begin with the start, and not only one of their lines.
    private let beginsWithStart: Bool

    /// Creates the frame; nil if a formula has no result.
    ///
    /// - Parameters:
    ///   - shape: The shape of the frame.
    ///   - isRefusal: Whether the frame means no.
    ///   - beginsWithStart: Whether the frame of text must begin with the start, and not only one of its lines.
    ///   - number: Returns the result of a formula; nil if it is not known.
    package init?(
        _ shape: Configuration.FrameShape, isRefusal: Bool = false, beginsWithStart: Bool = false,
        number: (Expression) -> Decimal?
    ) {
        self.shape = shape
        self.isRefusal = isRefusal
        self.beginsWithStart = beginsWithStart
        guard let start = shape.patterns(number) else { return nil }
        self.start = start
        switch shape.length {
        case nil: length = nil
        case .field(let field)?: length = .field(field)
        case .formula(let formula)?:
            guard let value = number(formula)?.integer else { return nil }
            length = .exactly(value)
        }
    }

    /// Compares the beginning of bytes with the frame.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - notification: The number of bytes up to the end of the first notification; nil if the bytes do not begin with the
    ///     beginning of a notification.
    /// - Returns: Whether the bytes begin with the frame.
    func compare(_ bytes: ArraySlice<UInt8>, notification: Int?) -> Verdict {
        if shape.isText && isRefusal { return .different(.start) }
        if shape.isText || (!shape.terminator.isEmpty && shape.length == nil) { return compareTerminated(bytes) }
        switch comparison(with: bytes) {
        case .different: return .different(.start)
        case .incomplete: return .incomplete
        case .equal: break
        }
        let count: Int
        if let length {
            guard let total = total(length, bytes) else { return .incomplete }
            count = total
        } else {
            // Without a length, one notification is one frame.
            guard let notification else { return .different(.start) }
            count = notification
        }
        let checkSize = shape.check?.size ?? 0
        let least = (shape.check?.checksum.first ?? 0) + checkSize + shape.terminator.count
        guard count > least, count <= shape.limit else { return .different(.length) }
        guard bytes.count >= count else { return .incomplete }
        let frame = bytes.prefix(count)
        guard frame.suffix(shape.terminator.count).elementsEqual(shape.terminator) else { return .different(.end) }
        let covered = frame.dropLast(shape.terminator.count)
        if let check = shape.check, !check.isRight(for: covered) { return .different(.checksum) }
        return .frame(length: count, content: Array(covered.dropLast(checkSize)))
    }

    /// Returns why bytes that have arrived since the question are not the frame.
    func explanation(for bytes: [UInt8]) -> String {
        switch compare(bytes[...], notification: bytes.count) {
        case .different(.start): "the bytes do not begin like the answer"
        case .different(.length): "the bytes do not have the length of the answer"
        case .different(.end): "the bytes do not end like the answer"
        case .different(.checksum): "the bytes have a wrong checksum"
        case .incomplete: "the bytes are only the beginning of the answer"
        case .frame: "the bytes did not arrive as one answer"
        }
    }

    /// Returns whether both frames have the same start and the same length.
    func looks(like other: ExpectedFrame) -> Bool {
        start == other.start && length == other.length
    }

    private func compareTerminated(_ bytes: ArraySlice<UInt8>) -> Verdict {
        if !shape.isText, comparison(with: bytes) == .different { return .different(.start) }
        guard let end = bytes.firstIndex(of: shape.terminator) else {
            return bytes.count < shape.limit ? .incomplete : .different(.length)
        }
        let content = bytes[..<end]
        if shape.isText, beginsWithStart, comparison(with: content) != .equal { return .different(.start) }
        return .frame(length: content.count + shape.terminator.count, content: Array(content))
    }

    /// Compares the beginning of bytes with the start of the frame.
    func comparison(with bytes: ArraySlice<UInt8>) -> BytePattern.Comparison {
        if start.isEmpty { return .equal }
        let comparisons = start.map { $0.compare(bytes) }
        return comparisons.contains(.equal) ? .equal : comparisons.contains(.incomplete) ? .incomplete : .different
    }

    /// Returns the length of the whole frame; nil if the bytes do not contain the length yet.
    private func total(_ length: Length, _ bytes: ArraySlice<UInt8>) -> Int? {
        switch length {
        case .exactly(let count): return count
        case .field(let field):
            guard bytes.count >= field.position + field.size else { return nil }
            let first = bytes.startIndex + field.position
            let number = bytes[first..<first + field.size].number(field.endian)
            return Int(number) * field.factor + field.addend
        }
    }
}

extension Configuration.FrameShape.Check {
    /// Returns whether bytes end with the checksum of the bytes before it.
    fileprivate func isRight(for bytes: ArraySlice<UInt8>) -> Bool {
        let expected = checksum(bytes.dropFirst(checksum.first).dropLast(size))
        let mask = size < 8 ? UInt64(1) << (8 * size) - 1 : .max
        return bytes.suffix(size).number(endian) == expected & mask
    }
}

extension ArraySlice<UInt8> {
    /// The whole number of these bytes, at most 8.
    fileprivate func number(_ endian: Field.Endian) -> UInt64 {
        let bytes = endian == .big ? Array(self) : reversed()
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the position of the first occurrence of a sequence that is not empty.
    fileprivate func firstIndex(of sequence: [UInt8]) -> Int? {
        guard count >= sequence.count else { return nil }
        // The comparison of the first byte is fast, and different for almost all positions.
        return (startIndex...endIndex - sequence.count).first { position in
            self[position] == sequence[0] && self[position...].starts(with: sequence)
        }
    }
}
