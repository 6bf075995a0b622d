/// A log line without time and style.
struct LogLine: Hashable {
    let level: Log.Level
    /// The subject of the line: a part of the program, or a device.
    let category: String
    /// The message and its fields, as one line.
    let message: String

    /// The maximum length in bytes of a category, of a word of the message, and of the value of a field: each may be a text
    /// of a client or of a device.
    static let textLimit = 256
    /// The maximum length in bytes of the message, and of the message with its fields.
    ///
    /// With the category, the time and the level, a line has less than 2,048 bytes.
    static let (messageLimit, lineLimit) = (1024, 1536)

    /// Creates a line; a field with an empty value is left out, and longer texts are cut.
    init(level: Log.Level, category: String, message: String, fields: Log.Fields = [:]) {
        self.level = level
        self.category = Self.cut(Self.oneLine(Self.cut(category, to: Self.textLimit)), to: Self.textLimit)
        var text = Self.text(of: message)
        for (name, value) in fields.lazy.map({ ($0.key, $0.value.description) }) where !value.isEmpty {
            text += " " + name + "=" + Self.fieldValue(value)
        }
        self.message = Self.cut(text, to: Self.lineLimit)
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

    /// Returns the message without control characters; its words and the whole are cut.
    private static func text(of message: String) -> String {
        cut(oneLine(message.utf8.count > textLimit ? cuttingWords(of: message) : message), to: messageLimit)
    }

    /// Returns the beginning of a message with the beginnings of its words.
    ///
    /// A topic of 65,535 bytes is one word: the words after it remain.
    private static func cuttingWords(of message: String) -> String {
        var result: [UInt8] = []
        var length = 0
        var isCut = false
        for byte in message.utf8 {
            if byte == UInt8(ascii: " ") { (length, isCut) = (0, false) }
            length += 1
            let isStartOfScalar = byte & 0xC0 != 0x80
            if isStartOfScalar, length > textLimit - 6, !isCut {
                isCut = true
                result += "…".utf8
            }
            if !isCut { result.append(byte) }
            if isStartOfScalar, result.count > 2 * messageLimit { break }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the beginning of a text with an ellipsis if the text has more bytes than `limit`.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let ellipsis = "…"
        var end = text.utf8.index(text.startIndex, offsetBy: limit - ellipsis.utf8.count)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end]) + ellipsis
    }

    /// Returns the value, in quotation marks if it contains spaces or quotation marks.
    private static func fieldValue(_ value: String) -> String {
        let text = cut(oneLine(cut(value, to: textLimit)), to: textLimit)
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
