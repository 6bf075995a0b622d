/// A progress line on standard error, shown only on a terminal.
enum Progress {
    /// Replaces the progress line.
    static func show(_ text: String) {
        guard StandardStream.error.isTerminal, !StandardStream.error.isWaiting else { return }
        StandardStream.error.write("\r\(text.cut(to: Terminal.size.columns - 2))…\(Terminal.clearLine)")
    }

    /// Removes the progress line before other output.
    static func clear() {
        guard StandardStream.error.isTerminal else { return }
        StandardStream.error.write("\r\(Terminal.clearLine)")
    }
}
