/// Checks the tokens of a text before json-c parses it, and extracts the numbers.
///
/// json-c accepts invalid tokens even in strict mode (0.16 and 0.18): numbers such as `1.` and `NaN`, names in single
/// quotation marks, and control characters in strings. It replaces half of a surrogate pair, and cuts names off at NUL.
/// It cannot represent integers beyond 64 bits: 0.16 changes them, and 0.17 rejects them.
struct TokenScanner {
    /// The text; each number that was scanned is replaced by `0`, padded with spaces.
    private(set) var text: [UInt8]
    private var position = 0
    /// The number of members of all objects; of two members with the same name json-c keeps only the second.
    private(set) var memberCount = 0
    /// The texts of the numbers, in order.
    private(set) var numbers: [String] = []

    /// Scans the tokens of `text`; json-c checks their order.
    static func scan(_ text: [UInt8]) throws(JSONError) -> TokenScanner {
        var scanner = TokenScanner(text: text)
        while scanner.position < text.count {
            try scanner.scanToken()
        }
        return scanner
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func scanToken() throws(JSONError) {
        switch text[position] {
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        case UInt8(ascii: "N"), UInt8(ascii: "I"):
            if ["NaN", "Infinity"].contains(where: { text[position...].starts(with: $0.utf8) }) {
                throw JSONError(offset: position, reason: "NaN and Infinity are not JSON numbers")
            }
            position += 1
        case UInt8(ascii: "'"):
            throw JSONError(offset: position, reason: "names and strings need double quotation marks")
        case 0: throw JSONError(offset: position, reason: "unexpected NUL")
        case UInt8(ascii: ":"):
            memberCount += 1
            position += 1
        default: position += 1
        }
    }

    private mutating func scanString() throws(JSONError) {
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            if text[position] < 0x20 {
                throw JSONError(offset: position, reason: "a control character in a string must be escaped")
            }
            if text[position] == UInt8(ascii: "\\") {
                try scanEscape()
            } else {
                position += 1
            }
        }
        position += 1
    }

    private mutating func scanEscape() throws(JSONError) {
        guard let unit = codeUnit(at: position) else {
            position += 2
            return
        }
        var length = 6
        switch unit {
        case 0: throw JSONError(offset: position, reason: "a string must not contain NUL", isUnsupported: true)
        case 0xd800...0xdfff:
            let isWhole = unit < 0xdc00 && 0xdc00...0xdfff ~= codeUnit(at: position + length) ?? 0
            guard isWhole else {
                throw JSONError(
                    offset: position, reason: "a string must not contain half of a surrogate pair", isUnsupported: true)
            }
            length *= 2
        default: break
        }
        position += length
    }

    /// Returns the UTF-16 code unit of an escape sequence of `\u` and four digits (RFC 8259, 7).
    private func codeUnit(at position: Int) -> UInt16? {
        let escape = text[position...].prefix(6)
        guard escape.count == 6, escape.starts(with: #"\u"#.utf8) else { return nil }
        return UInt16(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
    }

    private mutating func scanNumber() throws(JSONError) {
        let number = text[position...].prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard JSON.Number.isNumber(number) else { throw JSONError(offset: position, reason: "not a number") }
        let end = number.endIndex
        numbers.append(String(decoding: number, as: UTF8.self))
        text[position] = UInt8(ascii: "0")
        for place in position + 1..<end { text[place] = UInt8(ascii: " ") }
        position = end
    }
}
