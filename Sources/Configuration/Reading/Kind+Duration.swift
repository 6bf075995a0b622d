import Codec
import System

extension Kind where Value == Duration {
    /// A duration: a whole number and its unit, as in `30s`.
    package static var duration: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in try Duration(text: text) }
    }

    /// A duration above zero.
    package static var positiveDuration: Kind {
        scalar("duration") { text, _ throws(InvalidValue) in try Duration(positive: text) }
    }
}

extension Duration {
    private static let units: KeyValuePairs<String, Duration> = [
        "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600), "d": .seconds(86400),
    ]

    // 10,000 days: the sum of two such durations cannot overflow a timer.
    private static let longest = Duration.seconds(10_000 * 86400)

    /// Parses a duration: `500ms`, `30s`, `10m`, `1h` or `7d`.
    ///
    /// - Throws: `InvalidValue` for any other text, and above 10,000 days.
    package init(text: String) throws(InvalidValue) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else {
            let advice = Self.unitName(text[...]).map { ": did you mean 1\($0)?" } ?? ""
            throw "expected a duration such as 30s, 10m or 1h, found \(text.quotedForMessage)\(advice)"
        }
        let suffix = text.dropFirst(digits.count)
        guard !suffix.isEmpty else {
            throw "a duration needs a unit: \(digits)s for seconds, \(digits)m for minutes"
        }
        guard let unit = Self.units.first(where: { $0.key == suffix }) else {
            guard let name = Self.unitName(suffix) else {
                let sum = Self.sum(of: text) ?? Self.weeks(digits, suffix)
                let advice = sum.map { ": write \($0.exactText)" } ?? ""
                throw "expected a whole number with ms, s, m, h or d, found \(text.quotedForMessage)\(advice)"
            }
            throw "expected a duration such as 10m, found \(text.quotedForMessage): did you mean \(digits)\(name)?"
        }
        guard let count = Int(digits), Double(count) <= Self.longest / unit.value else {
            throw "a duration is limited to 10000d"
        }
        self = unit.value * count
    }

    /// Returns the duration of a text such as `1.5h` or `1h 30m`; nil for any other text.
    private static func sum(of text: String) -> Duration? {
        var rest = text.drop(while: \.isWhitespace)
        var sum = Duration.zero
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(number.count).prefix { $0.isLetter }
            guard let count = Double(number), count < 10_000, let value = units.first(where: { $0.key == unit })?.value
            else { return nil }
            sum += value * count
            rest = rest.dropFirst(number.count + unit.count).drop(while: \.isWhitespace)
        }
        return sum
    }

    /// Returns the duration of a number of weeks, such as `2w`; nil for another unit.
    private static func weeks(_ digits: Substring, _ unit: Substring) -> Duration? {
        let unit = unit.drop(while: \.isWhitespace).lowercased()
        guard !unit.isEmpty, "weeks".hasPrefix(unit), let count = Int(digits), count < 1000 else { return nil }
        return .seconds(7 * 86400) * count
    }

    /// Returns the unit for a word, e.g.
    ///
    /// `m` for ` minutes`; nil if the word is not a unit.
    private static func unitName(_ word: Substring) -> String? {
        let word = word.drop(while: \.isWhitespace).lowercased()
        let longNames: KeyValuePairs = ["ms": "millisecond", "s": "second", "m": "minute", "h": "hour", "d": "day"]
        return units.first { $0.key == word }?.key
            ?? longNames.first { word.count > 1 && "\($0.value)s".hasPrefix(word) }?.key
    }

    /// Parses a duration above zero.
    package init(positive text: String) throws(InvalidValue) {
        self = try Duration(text: text)
        guard self > .zero else { throw "expected a duration above 0" }
    }
}
