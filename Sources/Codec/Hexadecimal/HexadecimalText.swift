/// Bytes as a person writes them, pairs of hexadecimal digits in either case, with spaces, commas, colons or dashes
/// between them and perhaps `0x` in front; and where each of them stands: to point at the one that is wrong.
package struct HexadecimalText: Hashable, Sendable {
    package let text: String
    package private(set) var bytes: [UInt8] = []
    /// Where each byte begins, in characters from the start.
    private var offsets: [Int] = []

    private static let separators: Set<Character> = [" ", ",", ":", "-", "\t", "\n"]

    /// Throws at the first character that has no place.
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
                if high != nil { throw HexadecimalError(position: index - 1, reason: .single) }
            } else {
                throw HexadecimalError(position: index, reason: .strange(character))
            }
        }
        if high != nil { throw HexadecimalError(position: characters.count - 1, reason: .single) }
    }

    /// Where a byte begins in the text, or where the text ends for one that is not there.
    package func offset(ofByte index: Int) -> Int {
        offsets.indices.contains(index) ? offsets[index] : text.count
    }
}

extension [UInt8] {
    /// Reads pairs of hexadecimal digits as `HexadecimalText` does; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard let text = try? HexadecimalText(String(text)) else { return nil }
        self = text.bytes
    }
}

extension Collection<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
