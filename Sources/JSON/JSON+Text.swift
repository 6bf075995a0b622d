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

    /// Appends a string in quotation marks, with its control characters escaped, in UTF-8.
    ///
    /// Source: RFC 8259, 7.
    package static func append(quoted string: String, to text: inout [UInt8]) {
        let bytes = string.utf8.span
        var start = 0
        text.append(UInt8(ascii: "\""))
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.extracting(start..<index).withUnsafeBufferPointer { text += $0 }
            text += escape(byte).utf8
            start = index + 1
        }
        bytes.extracting(start...).withUnsafeBufferPointer { text += $0 }
        text.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0a: "\\n"
        case 0x0c: "\\f"
        case 0x0d: "\\r"
        case 0x10..<0x20: "\\u00" + String(byte, radix: 16)
        case 0..<0x10: "\\u000" + String(byte, radix: 16)
        default: "\\" + String(UnicodeScalar(byte))
        }
    }
}
