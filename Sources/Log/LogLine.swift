/// A log line without time and style.
struct LogLine: Hashable {
    let level: Log.Level
    /// The part that all styles share: category, message and fields.
    let text: String

    init(level: Log.Level, category: String, message: String, fields: Log.Fields = [:]) {
        self.level = level
        var text = category + ": " + Self.oneLine(message)
        for (name, value) in fields {
            text += " " + name + "=" + Self.fieldValue(value.description)
        }
        self.text = text
    }

    private init(level: Log.Level, text: String) {
        self.level = level
        self.text = text
    }

    /// Returns the line with the number of its repetitions appended; unchanged if the number is 0.
    func repeated(_ count: Int) -> LogLine {
        count == 0 ? self : LogLine(level: level, text: "\(text) (repeated \(count) times)")
    }

    /// Returns the value, in quotation marks if it is empty or contains spaces or quotation marks.
    private static func fieldValue(_ value: String) -> String {
        let text = oneLine(value)
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
        return isPlain ? text : "\"" + text.map { $0 == "\"" ? "\\\"" : String($0) }.joined() + "\""
    }

    /// Returns the text with control characters escaped: the name of a device must not start a new line, or move the cursor.
    private static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isControl(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
