extension String {
    /// The text in single quotes for a message: short, on one line, without control characters.
    package var quotedForMessage: String {
        let limit = 60
        var text = ""
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "'\(text)\(unicodeScalars.count > limit ? "…" : "")'"
    }
}
