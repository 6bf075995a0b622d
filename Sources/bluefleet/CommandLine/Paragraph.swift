/// A text in lines of less than 80 columns.
struct Paragraph {
    private static let width = 79

    private let words: [String]

    init(_ text: String) {
        self.init(words: text.split(separator: " ").map(String.init))
    }

    /// Creates a paragraph of untrusted text: words that are wider than a line are broken.
    ///
    /// `indent` is the indentation of the lines, in columns.
    init(breaking text: String, indent: Int = 0) {
        let words = text.split(separator: " ").map(String.init)
        self.init(words: words.flatMap { $0.pieces(of: Self.width - indent) })
    }

    /// - Parameter words: Words that are not broken; they may contain spaces.
    init(words: [String]) {
        self.words = words
    }

    /// Returns the lines with an indentation, after a label on the first line.
    func lines(labelled label: String = "", indent: Int = 0) -> [String] {
        let margin = "".padded(to: indent)
        var lines: [String] = []
        var line = label.padded(to: indent)
        var isEmpty = true
        for word in words {
            if !isEmpty && line.columns + 1 + word.columns > Self.width {
                lines.append(line)
                line = margin
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Returns the lines; all lines except the first are indented.
    func lines(hanging indent: Int) -> [String] {
        let first = words.first ?? ""
        guard words.count > 1 else { return [first] }
        return Paragraph(words: Array(words.dropFirst())).lines(labelled: first + " ", indent: indent)
    }
}
