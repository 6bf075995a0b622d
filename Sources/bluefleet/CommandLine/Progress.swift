/// One line on standard error that tells what takes so long; only where a person looks at it.
enum Progress {
    /// Shows a text in place of what was shown before.
    static func show(_ text: String) {
        guard StandardStream.error.isTerminal else { return }
        StandardStream.error.write("\r\(text.cut(to: Terminal.size.columns - 2))…\(Terminal.clearLine)")
    }

    /// Takes the line away again, before anything else is written.
    static func clear() {
        guard StandardStream.error.isTerminal else { return }
        StandardStream.error.write("\r\(Terminal.clearLine)")
    }
}
