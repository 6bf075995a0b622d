/// Refuses what json-c lets pass even when it is told to be strict (0.16 and 0.18): numbers such as `1.` and `NaN`, names
/// in single quotation marks, control characters in strings, halves of characters, which it replaces, and NUL, at which
/// it cuts names off. Keeps numbers as they are written: of integers beyond 64 bits json-c 0.16 makes others, and 0.17
/// refuses them.
struct Scanner {
    /// What is scanned, with a zero in the place of each number that was.
    private(set) var text: [UInt8]
    private var position = 0
    /// How many members the objects have together: of two with one name json-c keeps the second.
    private(set) var memberCount = 0
    /// The numbers as they are written, in order.
    private(set) var numbers: [String] = []

    /// Scans the tokens of `text`; their order is json-c's business.
    static func scan(_ text: [UInt8]) throws(JSONError) -> Scanner {
        var scanner = Scanner(text: text)
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
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw JSONError(offset: position, reason: "JSON has no such number")
        case UInt8(ascii: "'"):
            throw JSONError(offset: position, reason: "names and texts stand in double quotation marks")
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
        case 0: throw JSONError(offset: position, reason: "a string may not hold NUL", isUnsupported: true)
        case 0xd800...0xdfff:
            let isWhole = unit < 0xdc00 && 0xdc00...0xdfff ~= codeUnit(at: position + length) ?? 0
            guard isWhole else {
                throw JSONError(offset: position, reason: "a string may not hold half a character", isUnsupported: true)
            }
            length *= 2
        default: break
        }
        position += length
    }

    /// The code unit of UTF-16 that is written there as `\u` and four digits (RFC 8259, 7).
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
