extension String {
    /// The text without control characters, characters that change its direction, and spaces at its ends.
    ///
    /// A device pads its texts with such characters, or sends them to deceive a reader. A control character between words
    /// becomes a space.
    package var visible: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: continue
            default: break
            }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if text.last != " ", !text.isEmpty { text.append(" ") }
            default: text.append(scalar)
            }
        }
        if text.last == " " { text.removeLast() }
        return String(text)
    }

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

    /// The text for an event or a response: at most 256 bytes; `…` stands for the rest of a longer text.
    ///
    /// Peers choose such texts: names in requests, reasons of a device or of bluetoothd.
    package var shortened: String { shortened(to: 256) }

    /// Returns at most the first bytes of the text; `…` stands for the rest of a longer text.
    ///
    /// - Parameter limit: The maximum length in bytes, without `…`.
    /// - Returns: The text.
    package func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
