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
