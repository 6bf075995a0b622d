extension String {
    /// The text with spaces up to a width in columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text cut to a width in columns; an ellipsis tells that something is missing.
    func cut(to width: Int) -> String {
        count <= width ? self : prefix(max(0, width - 1)) + (width > 0 ? "…" : "")
    }

    /// The text without the spaces at its end.
    var trimmingTrailingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }

    /// The text without what would move a terminal's cursor: what devices call themselves comes from the air.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { Self.isPrintable($0) ? $0 : "\u{FFFD}" }))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }
}
