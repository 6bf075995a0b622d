extension Value: CustomStringConvertible {
    /// The value as JSON writes it; bytes are hexadecimal digits, a named number is its name.
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean(let isTrue): String(isTrue)
        case .number(let number): number.description
        case .string(let text), .named(let text, _): Self.quoted(text)
        case .bytes(let bytes): Self.quoted(bytes.hexadecimal)
        case .list(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .record(let record):
            "{" + record.members.map { Self.quoted($0.name) + ":" + $0.value.description }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}": result += "\\u" + [UInt8]([0, UInt8(scalar.value)]).hexadecimal
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Collection<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// Reads pairs of hexadecimal digits as `HexadecimalText` does; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        guard let bytes = try? HexadecimalText.bytes(of: String(text)) else { return nil }
        self = bytes
    }
}
