/// Swift source reduced to what the rules of the architecture are about.
enum SourceText {
    /// Returns the source with the contents of comments and string literals replaced by spaces; lines stay lines.
    ///
    /// The expressions in string literals, `\(…)`, are code.
    static func withoutTextAndComments(_ source: String) -> String {
        var result: [UInt8] = []
        var state = State.code
        /// The literals around an expression, and how many of its parentheses are open.
        var literals: [(state: State, depth: Int)] = []
        let bytes = Array(source.utf8)
        var index = 0
        func startsWith(_ text: StaticString) -> Bool {
            // At nearly all bytes, the comparison ends here.
            guard bytes[index] == text.utf8Start.pointee else { return false }
            return text.withUTF8Buffer { pattern in
                index + pattern.count <= bytes.count && pattern.elementsEqual(bytes[index..<(index + pattern.count)])
            }
        }
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .code where startsWith("//"): state = .lineComment
            case .code where startsWith("/*"): state = .blockComment
            case .code where startsWith("#\""):
                state = .rawText
                index += 1
            case .code where startsWith("\"\"\""):
                state = .multilineText
                index += 2
            case .code where byte == UInt8(ascii: "\""): state = .text
            case .code where byte == UInt8(ascii: ")") && literals.last?.depth == 0: state = literals.removeLast().state
            case .lineComment where byte == UInt8(ascii: "\n"): state = .code
            case .blockComment where startsWith("*/"):
                state = .code
                index += 1
            case .text where startsWith("\\("), .multilineText where startsWith("\\("):
                literals.append((state, 0))
                state = .code
                index += 1
            case .text where byte == UInt8(ascii: "\\"), .multilineText where byte == UInt8(ascii: "\\"): index += 1
            case .text where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n"): state = .code
            case .rawText where startsWith("\"#"):
                state = .code
                index += 1
            case .multilineText where startsWith("\"\"\""):
                state = .code
                index += 2
            case .code:
                if let last = literals.indices.last {
                    if byte == UInt8(ascii: "(") { literals[last].depth += 1 }
                    if byte == UInt8(ascii: ")") { literals[last].depth -= 1 }
                }
                result.append(byte)
                index += 1
                continue
            default: break
            }
            result.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The declaration of a type at the left margin that other files can use, with its name.
    static var typeDeclaration: Regex<(Substring, Substring)> {
        /(?m)^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|final|indirect|nonisolated)\s+)*(?:struct|class|actor|enum|protocol|typealias)\s+(\w+)/
    }

    private enum State {
        case code, lineComment, blockComment, text, rawText, multilineText
    }
}
