/// Words in lines that fit a terminal of 80 columns.
struct Paragraph {
    private static let width = 79

    private let words: [String]

    init(_ text: String) {
        self.init(words: text.split(separator: " ").map(String.init))
    }

    /// Words of which nobody knows how long they are: those that are too wide for a line are broken.
    ///
    /// - Parameter indent: that of the lines.
    init(breaking text: String, indent: Int = 0) {
        let words = text.split(separator: " ").map(String.init)
        self.init(words: words.flatMap { $0.pieces(of: Self.width - indent) })
    }

    /// - Parameter words: are kept whole, with the spaces in them.
    init(words: [String]) {
        self.words = words
    }

    /// The lines, as a column that begins at `indent`; the label stands before the first.
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

    /// The lines, all but the first indented.
    func lines(hanging indent: Int) -> [String] {
        let first = words.first ?? ""
        guard words.count > 1 else { return [first] }
        return Paragraph(words: Array(words.dropFirst())).lines(labelled: first + " ", indent: indent)
    }
}
