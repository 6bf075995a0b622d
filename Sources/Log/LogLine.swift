/// A log line without time and style.
struct LogLine: Hashable {
    let level: Log.Level
    /// The subject of the line: a part of the program, or a device.
    let category: String
    /// The message and its fields, as one line.
    let message: String

    /// Creates a line; a field with an empty value is left out.
    init(level: Log.Level, category: String, message: String, fields: Log.Fields = [:]) {
        self.level = level
        self.category = category
        var text = Self.oneLine(message)
        for (name, value) in fields.lazy.map({ ($0.key, $0.value.description) }) where !value.isEmpty {
            text += " " + name + "=" + Self.fieldValue(value)
        }
        self.message = text
    }

    private init(level: Log.Level, category: String, text: String) {
        self.level = level
        self.category = category
        message = text
    }

    /// The part that all styles share: category, message and fields.
    var text: String { category + ": " + message }

    /// Returns the line with a note that it stands for several equal lines.
    ///
    /// - Parameters:
    ///   - count: the number of lines.
    ///   - first: the time of the first of them.
    ///   - last: the time of the last of them.
    /// - Returns: The line with its note.
    func repeated(_ count: Int, from first: LogTime, to last: LogTime) -> LogLine {
        let times = "\(count == 1 ? "once" : "\(count) times")"
        let note = "repeated \(times) from \(first.shortTimeOfDay) to \(last.shortTimeOfDay)"
        return LogLine(level: level, category: category, text: "\(message) (\(note))")
    }

    /// Returns the value, in quotation marks if it contains spaces or quotation marks.
    private static func fieldValue(_ value: String) -> String {
        let text = oneLine(value)
        let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
        return isPlain ? text : "\"" + text.map { $0 == "\"" ? "\\\"" : String($0) }.joined() + "\""
    }

    /// Returns the text with control characters escaped: the name of a device must not start a new line, move the cursor or
    /// change the order of the visible characters.
    private static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isHidden(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Joiners and tags join letters, e.g. in Persian, or parts of an emoji.
        case .format: scalar.value != 0x200C && scalar.value != 0x200D && !(0xE0020...0xE007F).contains(scalar.value)
        default: false
        }
    }
}
