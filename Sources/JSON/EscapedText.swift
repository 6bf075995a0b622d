/// A JSON text in which escape sequences replace the characters beyond ASCII.
///
/// json-c 0.18 (Debian 13) rejects these characters in strict mode where `char` is signed (its issue 875).
struct EscapedText {
    let bytes: [UInt8]
    private let original: [UInt8]

    /// Creates the escaped form of a text in UTF-8.
    init(_ text: [UInt8]) {
        original = text
        guard text.contains(where: { $0 >= 0x80 }) else {
            bytes = text
            return
        }
        // A client chooses the text: an array for each character would make it slow.
        var escaped: [UInt8] = []
        escaped.reserveCapacity(3 * text.count)
        for unit in String(decoding: text, as: UTF8.self).utf16 {
            if unit < 0x80 { escaped.append(UInt8(unit)) } else { Self.append(unit, to: &escaped) }
        }
        bytes = escaped
    }

    /// Returns the position in the original text of a position in `bytes`.
    func originalOffset(of offset: Int) -> Int {
        var start = (escaped: 0, original: 0)
        for scalar in String(decoding: original, as: UTF8.self).unicodeScalars {
            let length = scalar.isASCII ? 1 : 6 * UTF16.width(scalar)
            guard start.escaped + length <= offset else { break }
            start.escaped += length
            start.original += UTF8.width(scalar)
        }
        return start.original
    }

    /// Appends the escape sequence of a UTF-16 code unit: `\u` and four digits (RFC 8259, 7).
    private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: "u"))
        var rest = unit
        for _ in 0..<4 {
            let digit = UInt8(rest >> 12)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            rest <<= 4
        }
    }
}
