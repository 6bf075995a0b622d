/// Refuses what json-c lets pass even when it is told to be strict (0.16 and 0.18): numbers such as `1.`, `NaN` and
/// integers beyond 64 bits, which it clamps; control characters in strings; NUL, at which it cuts names off.
struct Scanner {
    private let text: [UInt8]
    private var position = 0
    private var memberCount = 0

    /// Scans the tokens of `text`; their order is json-c's business.
    ///
    /// - Returns: How many members the objects have together: of two with one name json-c keeps the second.
    static func memberCount(of text: [UInt8]) throws(JSONError) -> Int {
        var scanner = Scanner(text: text)
        while scanner.position < text.count {
            try scanner.scanToken()
        }
        return scanner.memberCount
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func scanToken() throws(JSONError) {
        switch text[position] {
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber()
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw JSONError(offset: position, reason: "JSON has no such number")
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
                if text[position...].starts(with: #"\u0000"#.utf8) {
                    throw JSONError(offset: position, reason: "a string may not hold NUL")
                }
                position += 1
            }
            position += 1
        }
        position += 1
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
        let isInteger = number.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
        let digits = String(decoding: number, as: UTF8.self)
        guard !isInteger || Int64(digits) != nil || UInt64(digits) != nil else {
            throw JSONError(offset: position, reason: "the integer has more than 64 bits")
        }
        position += number.count
    }
}
