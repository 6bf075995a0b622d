import Glibc

/// The alternate screen of the terminal on standard output.
struct Terminal {
    struct Size: Equatable {
        let columns: Int
        let rows: Int
    }

    private var shown: String?

    /// Whether standard output is a terminal with cursor control.
    static var isAvailable: Bool {
        let kind = unsafe getenv("TERM").map { unsafe String(cString: $0) }
        return StandardStream.output.isTerminal && kind != nil && kind != "dumb"
    }

    /// The current size; 80 × 24 if the size is unknown.
    static var size: Size {
        var window = winsize()
        let isKnown = unsafe ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &window) == 0
        guard isKnown, window.ws_col > 0, window.ws_row > 0 else { return Size(columns: 80, rows: 24) }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Opens the alternate screen.
    ///
    /// `close` restores the earlier contents.
    mutating func open() {
        shown = ""
        StandardStream.output.write(Self.openScreen)
    }

    /// Shows lines from the top.
    ///
    /// Lines and columns beyond the size are cut.
    ///
    /// - Returns: False if the terminal has been closed.
    mutating func draw(_ lines: [String], size: Size) -> Bool {
        let picture = Self.picture(of: lines, size: size)
        // A terminal that has stopped shows the newest picture later.
        guard picture != shown, !StandardStream.output.isWaiting else { return true }
        shown = picture
        return StandardStream.output.write(
            Self.beginUpdate + Self.home + picture + Self.clearBelow + Self.endUpdate)
    }

    /// Returns the text and control sequences that show lines at the top of the screen.
    static func picture(of lines: [String], size: Size) -> String {
        // The last column stays free: clearing the rest of a full line would erase its last character.
        lines.prefix(size.rows).map { $0.cut(to: size.columns - 1) + clearLine }.joined(separator: "\r\n")
    }

    /// Forces the next `draw` to write all lines.
    mutating func invalidate() {
        if shown != nil { shown = "" }
    }

    /// Restores the terminal.
    mutating func close() {
        guard shown != nil else { return }
        shown = nil
        Self.restore()
    }

    /// Restores the terminal, whichever object has opened the alternate screen.
    static func restore() {
        StandardStream.output.write(closeScreen)
    }

    // The alternate screen without cursor and line wrapping. Terminals that support it show each update at once.
    private static let openScreen = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let closeScreen = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    private static let beginUpdate = "\u{1B}[?2026h"
    private static let endUpdate = "\u{1B}[?2026l"
    private static let home = "\u{1B}[H"
    static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"
}
