extension String {
    /// The width of the text in columns of a terminal.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// Returns the text, filled with spaces to a width in columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// Returns the text, cut to a width in columns.
    ///
    /// An ellipsis marks a cut text.
    func cut(to width: Int) -> String {
        columns <= width ? self : beginning(within: max(0, width - 1)) + (width > 0 ? "…" : "")
    }

    /// Returns the text in pieces of at most a width in columns.
    func pieces(of width: Int) -> [String] {
        var (pieces, rest) = ([String](), self)
        while rest.columns > width {
            let piece = rest.beginning(within: width)
            // A character that is wider than a piece is not broken.
            guard !piece.isEmpty else { break }
            pieces.append(piece)
            rest.removeFirst(piece.count)
        }
        return pieces + [rest]
    }

    /// Returns the first characters of the text that fit into a width in columns.
    private func beginning(within width: Int) -> String {
        var rest = width
        return String(
            prefix {
                rest -= String($0).columns
                return rest >= 0
            })
    }

    /// The text without the spaces at its end.
    var trimmingTrailingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }

    /// The text without characters that would affect a terminal: advertised names are not trusted.
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
