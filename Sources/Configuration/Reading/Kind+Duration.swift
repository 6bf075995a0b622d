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
        let suffix = text.dropFirst(digits.count)
        guard !digits.isEmpty, !suffix.isEmpty, let unit = Self.units.first(where: { $0.key == suffix }) else {
            if !digits.isEmpty, suffix.isEmpty {
                throw "a duration needs a unit: \(digits)s for seconds, \(digits)m for minutes"
            }
            throw InvalidValue(
                stringLiteral:
                    "expected a duration such as 30s, 10m or 1h, found \(text.quotedForMessage)\(Self.advice(about: text))"
            )
        }
        guard let count = Int(digits), Double(count) <= Self.longest / unit.value else {
            throw "a duration is limited to 10000d"
        }
        self = unit.value * count
    }

    /// Returns what to write in the place of a text that is no duration; empty for a text without a clear meaning.
    private static func advice(about text: String) -> String {
        guard text.isShort else { return "" }
        if let meant = meant(by: text), meant <= longest {
            return meant < .milliseconds(1) ? ": the shortest unit is ms" : ": write \(meant.exactText)"
        }
        if !text.contains(where: \.isNumber), let meant = meant(by: "1\(text)") {
            return ": did you mean \(meant.exactText)?"
        }
        switch text.lowercased() {
        case "forever", "infinite", "infinity", "inf", ".inf", "unlimited": return ": the longest duration is 10000d"
        case "never", "off", "none", "no", "false", "disabled", "auto", "default", "true", "yes", "on":
            return ": write a duration, or remove the key to use its default"
        case let word
        where word.hasSuffix("us") || word.hasSuffix("µs") || word.hasSuffix("μs") || word.hasSuffix("ns"):
            return ": the shortest unit is ms"
        case let word where word.hasPrefix("-"): return ": a duration has no sign"
        case let word where word.split(separator: ":").allSatisfy { Int($0) != nil } && word.contains(":"):
            let parts = word.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 2, parts.allSatisfy({ 0..<10_000 ~= $0 }) else { return "" }
            let number = parts[0] * 60 + parts[1]
            return ": write \(number)m for hours and minutes, \(number)s for minutes and seconds"
        default: return ""
        }
    }

    /// Parses a duration above zero.
    package init(positive text: String) throws(InvalidValue) {
        self = try Duration(text: text)
        guard self > .zero else { throw "expected a duration above 0" }
    }
}
