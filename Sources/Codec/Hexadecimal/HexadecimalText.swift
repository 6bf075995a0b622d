/// Bytes in hexadecimal digits, and their positions in the text for error messages.
///
/// The digits come in pairs, in either case. Spaces, commas, colons or dashes may separate the pairs, and `0x` may
/// precede a pair.
package struct HexadecimalText: Hashable, Sendable {
    /// The text as it was written.
    package let text: String
    /// The bytes that the digits represent.
    package private(set) var bytes: [UInt8] = []
    /// The position of each byte's first digit, in characters from the start.
    private var offsets: [Int] = []

    private static func isSeparator(_ byte: UInt8) -> Bool { " ,:-\t\n".utf8.contains(byte) }

    /// Parses a text.
    ///
    /// - Throws: `HexadecimalError` with the position of the first wrong character.
    package init(_ text: String) throws(HexadecimalError) {
        self.text = text
        // Bytes, because a client chooses the text. Up to the first wrong character, each byte is a character.
        let letters = Array(text.utf8)
        var high: UInt8?
        for (index, letter) in letters.enumerated() {
            if let digit = Self.digit(letter) {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    offsets.append(index - 1)
                    high = nil
                } else {
                    high = digit
                }
            } else if letter | 0x20 == UInt8(ascii: "x"), high == 0, index == 1 || Self.isSeparator(letters[index - 2])
            {
                // `0x` precedes a pair.
                high = nil
            } else if Self.isSeparator(letter) {
                if high != nil { throw HexadecimalError(position: index - 1, reason: .missingDigit) }
            } else {
                let character = text[text.utf8.index(text.startIndex, offsetBy: index)]
                throw HexadecimalError(position: index, reason: .invalidCharacter(character))
            }
        }
        if high != nil { throw HexadecimalError(position: letters.count - 1, reason: .missingDigit) }
    }

    /// Returns the value of a hexadecimal digit; nil for another byte.
    private static func digit(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): letter - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): letter - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the position of a byte in the text; the end of the text for a byte that does not exist.
    package func offset(ofByte index: Int) -> Int {
        offsets.indices.contains(index) ? offsets[index] : text.count
    }
}

extension [UInt8] {
    /// Parses pairs of hexadecimal digits as `HexadecimalText` does; nil for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        guard let text = try? HexadecimalText(String(text)) else { return nil }
        self = text.bytes
    }
}

extension Collection<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The first mistake in a text of hexadecimal digits.
package struct HexadecimalError: Error, Hashable, Sendable {
    /// The kind of a mistake.
    package enum Reason: Hashable, Sendable {
        /// A character that is not a hexadecimal digit.
        case invalidCharacter(Character)
        /// A digit that is not followed by the second digit of its pair.
        case missingDigit
    }

    /// The position of the character, counted from 0.
    package let position: Int
    package let reason: Reason
}
