/// A typed text with a caret below the position of a mistake.
struct Excerpt: CustomStringConvertible {
    let description: String

    /// Creates an excerpt; `offset` is the position in characters from the start, up to the end of the text.
    init(_ text: String, at offset: Int) {
        // A long text is cut around the position, so that the terminal does not wrap the line.
        let before = text.prefix(offset).suffix(40)
        let after = text.dropFirst(offset).prefix(30)
        let line = String(before + after).printable
        description = "  \(line)\n  " + String(repeating: " ", count: String(before).printable.columns) + "^"
    }
}
