import JSON

/// The parts of a page in GitHub's Markdown.
enum Markdown {
    /// The longest payload that is shown in one line.
    private static let width = 120

    static func code(_ text: String) -> String { "```json\n\(text)\n```" }

    /// Returns a payload: in one line as the gateway sends it, or with indentation if it is long.
    static func payload(_ text: String) -> String {
        guard text.count > width, let json = try? JSON(parsing: text) else { return code(text) }
        return code(layout(json, ""))
    }

    private static func layout(_ json: JSON, _ indentation: String) -> String {
        let line = json.description
        let inner = indentation + "  "
        guard line.count + indentation.count > width else { return line }
        switch json {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + layout($0, inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSON.string($0.name)): \(layout($0.value, inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        default: return line
        }
    }

    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let lines = [header, header.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// Returns a link to the section with a title.
    static func link(to title: String) -> String { "[\(title)](#\(anchor(of: title)))" }

    /// Returns the anchor that GitHub gives to the section with a title.
    static func anchor(of title: String) -> String {
        title.lowercased().compactMap { character -> String? in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character) ? String(character) : nil
        }.joined()
    }
}
