extension JSON: CustomStringConvertible {
    /// The value as compact JSON text.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the value as compact JSON text in UTF-8.
    package func append(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .number(let number): text += number.text.utf8
        case .string(let string): Self.append(quoted: string, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.append(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.append(quoted: member.name, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotation marks, in UTF-8.
    ///
    /// The escaped characters are the ones that JSON requires (RFC 8259, 7), and the ones that a terminal obeys or that
    /// change the order of the visible text: DEL, C1 controls, separators of lines and paragraphs, and directions of text.
    package static func append(quoted string: String, to text: inout [UInt8]) {
        let bytes = string.utf8.span
        var start = 0
        text.append(UInt8(ascii: "\""))
        for index in bytes.indices {
            let byte = bytes[index]
            // The comparison of signed numbers is also true for DEL and the bytes from 0x80 on, which are not ASCII.
            guard Int8(bitPattern: byte &+ 1) <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"),
                let escape = escape(at: index, bytes)
            else { continue }
            bytes.extracting(start..<index).withUnsafeBufferPointer { text += $0 }
            text += escape.text.utf8
            start = index + escape.length
        }
        bytes.extracting(start...).withUnsafeBufferPointer { text += $0 }
        text.append(UInt8(ascii: "\""))
    }

    /// Returns the escape sequence of the character that begins at an index, and the length of the character in bytes; nil
    /// if the character needs none.
    ///
    /// Not inlined: the loop over all characters then keeps its values in registers.
    @inline(never)
    private static func escape(at index: Int, _ bytes: Span<UInt8>) -> (text: String, length: Int)? {
        if bytes[index] < 0x80 { return (escape(bytes[index]), 1) }
        return hazard(at: index, bytes).map { (escape($0), UTF8.width($0)) }
    }

    /// Returns the character that begins at an index if it must be escaped although JSON does not require it.
    ///
    /// In UTF-8, U+0080 to U+009F are C2 80 to C2 9F, U+061C is D8 9C, U+200E and U+200F are E2 80 8E and E2 80 8F, U+2028
    /// to U+202E are E2 80 A8 to E2 80 AE, and U+2066 to U+2069 are E2 81 A6 to E2 81 A9.
    private static func hazard(at index: Int, _ bytes: Span<UInt8>) -> Unicode.Scalar? {
        switch bytes[index] {
        case 0xC2: return bytes[index + 1] < 0xA0 ? Unicode.Scalar(bytes[index + 1]) : nil
        case 0xD8: return bytes[index + 1] == 0x9C ? "\u{061C}" : nil
        case 0xE2:
            switch (bytes[index + 1], bytes[index + 2]) {
            case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE):
                return Unicode.Scalar(0x2000 + UInt32(bytes[index + 2] - 0x80))
            case (0x81, 0xA6...0xA9): return Unicode.Scalar(0x2040 + UInt32(bytes[index + 2] - 0x80))
            default: return nil
            }
        default: return nil
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0a: "\\n"
        case 0x0c: "\\f"
        case 0x0d: "\\r"
        case 0x10..<0x20, 0x7f: "\\u00" + String(byte, radix: 16)
        case 0..<0x10: "\\u000" + String(byte, radix: 16)
        default: "\\" + String(UnicodeScalar(byte))
        }
    }
}
