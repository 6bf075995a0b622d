/// Converts the surrogate pairs of JSON to escapes that libyaml supports.
///
/// JSON writes a character beyond U+FFFF as two escapes, `\ud83c\udf21` (RFC 8259, 7). libyaml rejects such
/// pairs, because YAML has a single escape, `\U0001F321`.
enum SurrogatePairs {
    private struct Pair {
        /// The offset of the pair's first byte in the text.
        let offset: Int
        let character: UInt32
    }

    private static let length = #"\ud83c\udf21"#.utf8.count

    /// Returns the text, in which YAML's escapes replace the pairs in double quotes.
    ///
    /// The characters outside of the changed quotes keep their lines and columns.
    static func joined(in text: [UInt8]) -> [UInt8] {
        let pairs = pairs(in: text)
        guard !pairs.isEmpty else { return text }
        var result: [UInt8] = []
        var (rest, place) = (pairs[...], 0)
        for quoted in quotedRanges(in: text, without: pairs) {
            rest = rest.drop { $0.offset < quoted.lowerBound }
            let inside = rest.prefix { $0.offset < quoted.upperBound }
            for pair in inside {
                result += text[place..<pair.offset]
                result += escape(pair.character).utf8
                place = pair.offset + length
            }
            result += text[place..<quoted.upperBound]
            place = quoted.upperBound
            // YAML's escape is shorter: spaces after the quotes keep the columns of the text that follows.
            result += repeatElement(UInt8(ascii: " "), count: inside.count * (length - escape(0).utf8.count))
        }
        return result + text[place...]
    }

    private static func escape(_ character: UInt32) -> String {
        let digits = String(character, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// Returns all parts of the text that look like a surrogate pair.
    ///
    /// Outside of double quotes, such a part is not a pair.
    private static func pairs(in text: [UInt8]) -> [Pair] {
        var pairs: [Pair] = []
        var offset = 0
        while let backslash = text[offset...].firstIndex(of: UInt8(ascii: "\\")) {
            if let high = unit(text, at: backslash), 0xD800..<0xDC00 ~= high,
                let low = unit(text, at: backslash + length / 2), 0xDC00..<0xE000 ~= low
            {
                pairs.append(Pair(offset: backslash, character: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)))
                offset = backslash + length
            } else {
                // The character after a backslash does not begin an escape.
                offset = min(backslash + 2, text.count)
            }
        }
        return pairs
    }

    /// Returns the code unit of an escape such as `\ud83c`; nil for any other text.
    private static func unit(_ text: [UInt8], at offset: Int) -> UInt32? {
        let escape = text[offset...].prefix(length / 2)
        guard escape.count == length / 2, escape.starts(with: #"\u"#.utf8),
            escape.dropFirst(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
        else { return nil }
        return UInt32(String(decoding: escape.dropFirst(2), as: UTF8.self), radix: 16)
    }

    /// Returns the byte ranges of the double-quoted texts that libyaml finds, up to its first error.
    private static func quotedRanges(in text: [UInt8], without pairs: [Pair]) -> [Range<Int>] {
        var text = text
        for pair in pairs {
            for offset in pair.offset..<pair.offset + length { text[offset] = UInt8(ascii: "x") }
        }
        var reader = YAMLEventReader(text)
        var ranges: [Range<Int>] = []
        while let event = try? reader.next() {
            if case .streamEnd = event.kind { break }
            if let range = event.quotedRange { ranges.append(range) }
        }
        return ranges.inBytes(of: text)
    }
}

extension [Range<Int>] {
    /// Converts ascending ranges of characters to ranges of bytes.
    fileprivate func inBytes(of text: [UInt8]) -> [Range<Int>] {
        var (character, byte) = (0, 0)
        func advance(to end: Int) -> Int {
            while character < end, byte < text.count {
                byte += 1
                character += byte < text.count && UTF8.isContinuation(text[byte]) ? 0 : 1
            }
            return byte
        }
        return map { advance(to: $0.lowerBound)..<advance(to: $0.upperBound) }
    }
}
