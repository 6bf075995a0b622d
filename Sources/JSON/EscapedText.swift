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
        bytes = String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
            unit < 0x80 ? [UInt8(unit)] : Self.escapeSequence(of: unit)
        }
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

    /// Returns the escape sequence of a UTF-16 code unit: `\u` and four digits (RFC 8259, 7).
    private static func escapeSequence(of unit: UInt16) -> [UInt8] {
        let digits = String(unit, radix: 16)
        return Array(#"\u"#.utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count) + digits.utf8
    }
}
