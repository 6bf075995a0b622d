internal import Bluetooth

extension Value: CustomStringConvertible {
    /// The value as JSON writes it; bytes are hexadecimal digits, a named number is its name.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the value to a text in UTF-8, as JSON writes it.
    package func append(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .boolean(let isTrue): text += (isTrue ? "true" : "false").utf8
        case .number(let number): number.append(to: &text)
        case .string(let string), .named(let string, _): Self.append(quoted: string, to: &text)
        case .bytes(let bytes): Self.append(quoted: bytes.hexadecimal, to: &text)
        case .list(let elements): Self.append(elements, in: "[", "]", to: &text) { $0.append(to: &$1) }
        case .record(let record):
            Self.append(record.members, in: "{", "}", to: &text) { $0.value.append(named: $0.name, to: &$1) }
        }
    }

    /// Adds a name and the value to a text in UTF-8, as JSON writes them.
    package func append(named name: String, to text: inout [UInt8]) {
        Self.append(quoted: name, to: &text)
        text.append(UInt8(ascii: ":"))
        append(to: &text)
    }

    private static func append<Element>(
        _ elements: [Element], in opening: Unicode.Scalar, _ closing: Unicode.Scalar, to text: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(element, &text)
        }
        text.append(UInt8(ascii: closing))
    }

    private static func append(quoted string: String, to text: inout [UInt8]) {
        let bytes = string.utf8.span
        var start = 0
        text.append(UInt8(ascii: "\""))
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            text.append(copying: bytes.extracting(start..<index))
            text += (byte < 0x20 ? "\\u" + [UInt8]([0, byte]).hexadecimal : "\\" + String(UnicodeScalar(byte))).utf8
            start = index + 1
        }
        text.append(copying: bytes.extracting(start...))
        text.append(UInt8(ascii: "\""))
    }
}
