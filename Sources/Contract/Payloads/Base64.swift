/// Base64 with the standard alphabet (RFC 4648, 4); the padding is optional.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the bytes as base64, with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for digit in 0..<4 {
                let index = Int(bits >> UInt32(18 - 6 * digit) & 63)
                text.unicodeScalars.append(
                    digit <= group.count ? UnicodeScalar(alphabet[index]) : UnicodeScalar(UInt8(ascii: "=")))
            }
        }
        return text
    }

    /// Returns the bytes of a base64 text; nil if the text is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let padding = text.utf8.count - digits.count
        guard padding == 0 || padding <= 2 && text.utf8.count % 4 == 0, digits.count % 4 != 1 else { return nil }
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
