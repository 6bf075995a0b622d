extension String {
    /// How many columns of a terminal the text takes.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// The text with spaces up to a width in columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// The text cut to a width in columns; an ellipsis tells that something is missing.
    func cut(to width: Int) -> String {
        columns <= width ? self : beginning(within: max(0, width - 1)) + (width > 0 ? "…" : "")
    }

    /// The text in pieces that are no wider than a width in columns.
    func pieces(of width: Int) -> [String] {
        var (pieces, rest) = ([String](), self)
        while rest.columns > width {
            let piece = rest.beginning(within: width)
            // What is too wide by itself stays whole.
            guard !piece.isEmpty else { break }
            pieces.append(piece)
            rest.removeFirst(piece.count)
        }
        return pieces + [rest]
    }

    /// As many characters as have room.
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
