extension Unicode.Scalar {
    /// The width in columns of a terminal, like wcwidth(3), which works only in some locales.
    var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // A vowel or final consonant of a Korean syllable is combined with the preceding character.
        if 0x1160...0x11FF ~= value { return 0 }
        return isWide ? 2 : 1
    }

    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        // A flag consists of two regional indicators with one column each.
        if properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF ~= value) }
        return Self.wide.contains { $0 ~= value }
    }

    /// The blocks of characters with a width of two columns.
    ///
    /// Source: Unicode 15, EastAsianWidth.txt, the classes W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
