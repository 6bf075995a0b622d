internal import Glibc

/// The terminal on standard output, as a screen of its own that is drawn on and given back.
struct Terminal {
    struct Size: Equatable {
        let columns: Int
        let rows: Int
    }

    private var shown: String?

    /// Whether standard output can be drawn on.
    static var isThere: Bool {
        let kind = unsafe getenv("TERM").map { unsafe String(cString: $0) }
        return StandardStream.output.isTerminal && kind != nil && kind != "dumb"
    }

    /// The size now; that of a classic terminal where it cannot be told.
    static var size: Size {
        var window = winsize()
        let isKnown = unsafe ioctl(StandardStream.output.rawValue, UInt(TIOCGWINSZ), &window) == 0
        guard isKnown, window.ws_col > 0, window.ws_row > 0 else { return Size(columns: 80, rows: 24) }
        return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Opens the screen: what the terminal showed comes back when it is closed.
    mutating func open() {
        shown = ""
        StandardStream.output.write(Self.openScreen)
    }

    /// Shows these lines, from the top; what is too wide or too much is cut off.
    ///
    /// - Returns: Whether the terminal is still there.
    mutating func draw(_ lines: [String], size: Size) -> Bool {
        let picture = Self.picture(of: lines, size: size)
        guard picture != shown else { return true }
        shown = picture
        return StandardStream.output.write(
            Self.beginUpdate + Self.home + picture + Self.clearBelow + Self.endUpdate)
    }

    /// What makes these lines the upper part of the screen.
    static func picture(of lines: [String], size: Size) -> String {
        // The last column stays free: clearing the rest of a line that is full would take its last letter.
        lines.prefix(size.rows).map { $0.cut(to: size.columns - 1) + clearLine }.joined(separator: "\r\n")
    }

    /// The picture has to be drawn anew, whatever it is.
    mutating func forget() {
        if shown != nil { shown = "" }
    }

    /// Gives the terminal back as it was.
    mutating func close() {
        guard shown != nil else { return }
        shown = nil
        Self.giveBack()
    }

    /// Makes the terminal what it was, whoever opened its screen.
    static func giveBack() {
        StandardStream.output.write(closeScreen)
    }

    // The alternate screen, without cursor and without wrapping; an update is shown as a whole where the terminal can.
    private static let openScreen = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let closeScreen = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    private static let beginUpdate = "\u{1B}[?2026h"
    private static let endUpdate = "\u{1B}[?2026l"
    private static let home = "\u{1B}[H"
    static let clearLine = "\u{1B}[K"
    private static let clearBelow = "\u{1B}[J"
}
