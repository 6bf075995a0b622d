extension String {
    /// The text in single quotes for a message: at most 60 characters, on one line, with control characters and unusual
    /// spaces escaped.
    package var quotedForMessage: String {
        let limit = 60
        var text = ""
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .spaceSeparator where scalar == " ": text.unicodeScalars.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "'\(text)\(unicodeScalars.count > limit ? "…" : "")'"
    }
}
