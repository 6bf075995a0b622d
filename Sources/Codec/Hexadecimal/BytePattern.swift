/// A pattern of bytes in hexadecimal digits, where `?` is any digit: `02 15`, `?? ?? BE AC`, `?? 5?`.
package struct BytePattern: Hashable, Sendable {
    private struct Byte: Hashable {
        let bits: UInt8
        /// The bits that must match.
        let mask: UInt8
    }

    private var bytes: [Byte] = []

    /// Parses pairs of hexadecimal digits, with `?` for any digit and optional spaces between the pairs; nil for any
    /// other text.
    package init?(_ text: some StringProtocol) {
        let digits = text.filter { $0 != " " }.map { $0 == "?" ? (0, 0) : ($0.hexDigitValue ?? 0x10, 0xF) }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0.0 <= 0xF }) else { return nil }
        for index in stride(from: 0, to: digits.count, by: 2) {
            let (high, low) = (digits[index], digits[index + 1])
            bytes.append(Byte(bits: UInt8(high.0 << 4 | low.0), mask: UInt8(high.1 << 4 | low.1)))
        }
    }

    /// Creates a pattern of bytes in which only the bits of the mask must match.
    init(_ bytes: UInt8..., mask: UInt8 = 0xFF) {
        self.bytes = bytes.map { Byte(bits: $0 & mask, mask: mask) }
    }

    /// Creates a pattern that only these bytes match.
    package init(bytes: some Sequence<UInt8>) {
        self.bytes = bytes.map { Byte(bits: $0, mask: 0xFF) }
    }

    /// Creates a pattern of bytes, in which the bytes at some positions match any bytes.
    package init(bytes: [UInt8], ignoring positions: Set<Int>) {
        self.bytes = bytes.enumerated().map { position, byte in
            positions.contains(position) ? Byte(bits: 0, mask: 0) : Byte(bits: byte, mask: 0xFF)
        }
    }

    package var count: Int { bytes.count }

    /// The bytes of the pattern, with 0 for each `?`.
    var content: [UInt8] { bytes.map(\.bits) }

    /// Returns whether the bytes from a position on begin with this pattern.
    ///
    /// The caller has checked that all bytes exist.
    func matches(_ other: Span<UInt8>, at start: Int) -> Bool {
        bytes.indices.allSatisfy { bytes[$0].bits == other[start + $0] & bytes[$0].mask }
    }

    /// How the beginning of bytes compares with a pattern.
    package enum Comparison: Sendable {
        case equal
        /// The bytes are equal as far as they exist, and shorter than the pattern.
        case incomplete
        case different
    }

    /// Compares the beginning of bytes with this pattern.
    package func compare(_ other: ArraySlice<UInt8>) -> Comparison {
        for (expected, found) in zip(bytes, other) where expected.bits != found & expected.mask { return .different }
        return other.count < bytes.count ? .incomplete : .equal
    }

    /// Returns whether some bytes begin with both patterns.
    package func canMatchSameBytes(as other: BytePattern) -> Bool {
        zip(bytes, other.bytes).allSatisfy { ($0.bits ^ $1.bits) & $0.mask & $1.mask == 0 }
    }

    /// Returns the pattern that consists of this pattern and another one after it.
    func followed(by other: BytePattern) -> BytePattern {
        var pattern = self
        pattern.bytes += other.bytes
        return pattern
    }

    /// Returns whether other bytes begin with this pattern.
    func matches(_ other: [UInt8]) -> Bool {
        other.count >= bytes.count && zip(bytes, other).allSatisfy { $0.bits == $1 & $0.mask }
    }
}

extension BytePattern: CustomStringConvertible {
    /// The pattern in hexadecimal digits without spaces, with `?` for a digit that is not compared.
    package var description: String {
        bytes.map { byte in
            [(byte.bits >> 4, byte.mask >> 4), (byte.bits & 15, byte.mask & 15)].map { bits, mask in
                mask == 15 ? String(bits, radix: 16, uppercase: true) : "?"
            }.joined()
        }.joined()
    }
}

extension BytePattern: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        guard let pattern = BytePattern(text) else { preconditionFailure("\"\(text)\" is not a byte pattern") }
        self = pattern
    }

    package init(stringInterpolation parts: DefaultStringInterpolation) {
        self.init(stringLiteral: String(stringInterpolation: parts))
    }
}
