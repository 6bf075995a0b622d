/// Hexadecimal digits as a person writes them: pairs in either case, with spaces, colons or dashes between them and
/// perhaps `0x` in front.
package enum HexadecimalText {
    /// The bytes; throws at the first character that has no place.
    package static func bytes(of text: String) throws(HexadecimalError) -> [UInt8] {
        let characters = Array(text)
        var bytes: [UInt8] = []
        var high: UInt8?
        for (index, character) in characters.enumerated() {
            let isPrefix = index == 1 && characters[0] == "0" && (character == "x" || character == "X")
            if isPrefix {
                high = nil
            } else if let digit = character.hexDigitValue, character.isASCII {
                if let first = high {
                    bytes.append(first << 4 | UInt8(digit))
                    high = nil
                } else {
                    high = UInt8(digit)
                }
            } else if [" ", ":", "-"].contains(character) {
                if high != nil { throw HexadecimalError(text: text, position: index - 1, reason: .single) }
            } else {
                throw HexadecimalError(text: text, position: index, reason: .noDigit)
            }
        }
        if high != nil { throw HexadecimalError(text: text, position: characters.count - 1, reason: .single) }
        return bytes
    }
}
