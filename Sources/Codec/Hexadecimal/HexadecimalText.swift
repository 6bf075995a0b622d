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

    private static let separators: Set<Character> = [" ", ",", ":", "-", "\t", "\n"]

    /// Parses a text.
    ///
    /// - Throws: `HexadecimalError` with the position of the first wrong character.
    package init(_ text: String) throws(HexadecimalError) {
        self.text = text
        let characters = Array(text)
        var high: UInt8?
        for (index, character) in characters.enumerated() {
            let isFirstPair = index == 1 || (index > 1 && Self.separators.contains(characters[index - 2]))
            if isFirstPair, characters[index - 1] == "0", character == "x" || character == "X" {
                high = nil
            } else if let digit = character.hexDigitValue, character.isASCII {
                if let first = high {
                    bytes.append(first << 4 | UInt8(digit))
                    offsets.append(index - 1)
                    high = nil
                } else {
                    high = UInt8(digit)
                }
            } else if Self.separators.contains(character) {
                if high != nil { throw HexadecimalError(position: index - 1, reason: .missingDigit) }
            } else {
                throw HexadecimalError(position: index, reason: .invalidCharacter(character))
            }
        }
        if high != nil { throw HexadecimalError(position: characters.count - 1, reason: .missingDigit) }
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
