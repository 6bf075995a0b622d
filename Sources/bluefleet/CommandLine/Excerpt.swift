/// What was typed, with a caret under the place that is wrong.
struct Excerpt: CustomStringConvertible {
    let description: String

    /// - Parameter offset: the place, in characters from the start; the end of the text is a place too.
    init(_ text: String, at offset: Int) {
        // Of a long text only what stands around the place: the caret must not be wrapped away from it.
        let before = text.prefix(offset).suffix(40)
        let after = text.dropFirst(offset).prefix(30)
        let line = String(before + after).printable
        description = "  \(line)\n  " + String(repeating: " ", count: String(before).printable.columns) + "^"
    }
}
