import System

extension Duration {
    /// The duration that a text of another notation probably means, for advice: `1h30`, `1.5 hours`, `PT5M`, `daily`.
    ///
    /// - Parameter text: A text that is no duration of the configuration.
    /// - Returns: nil if the text has no clear meaning.
    static func meant(by text: String) -> Duration? {
        let text = text.lowercased().filter { $0 != "_" }
        if let duration = words[text] { return duration }
        for prefix in ["every ", "each ", "about ", "~"] where text.hasPrefix(prefix) {
            return meant(by: String(text.dropFirst(prefix.count)))
        }
        if text.hasPrefix("p"), text.dropFirst().first.map({ $0.isNumber || $0 == "t" }) == true {
            return sum(of: text.dropFirst().filter { $0 != "t" })
        }
        return clock(text) ?? sum(of: String(text.map { $0 == "," ? "." : $0 }))
    }

    /// The duration of a mapping such as `{hours: 1, minutes: 30}`; nil for any other mapping.
    static func meant(by entries: [YAMLNode.Entry]) -> Duration? {
        var sum = Duration.zero
        for entry in entries {
            guard case .scalar(let text, _) = entry.value.content, let count = Int(text), 0..<10_000 ~= count,
                let unit = unit(entry.key[...]), entry.key.count > 2
            else { return nil }
            sum += unit.duration * count
        }
        return entries.isEmpty ? nil : sum
    }

    /// Words for a duration without a number.
    private static let words: [String: Duration] = [
        "hourly": .seconds(3600), "daily": .seconds(86400), "weekly": .seconds(7 * 86400),
        "half an hour": .seconds(1800), "half a minute": .seconds(30), "an hour": .seconds(3600),
        "a minute": .seconds(60),
    ]

    /// The units, from the shortest to the longest, by their names.
    private static let units: [(names: [String], duration: Duration)] = [
        (["ms", "msec", "millis"], .milliseconds(1)), (["s"], .seconds(1)), (["m"], .seconds(60)),
        (["h", "hr", "hrs"], .seconds(3600)), (["d"], .seconds(86400)), (["w"], .seconds(7 * 86400)),
        (["mo"], .seconds(30 * 86400)), (["y", "yr", "yrs"], .seconds(365 * 86400)),
    ]
    private static let longNames = ["millisecond", "second", "minute", "hour", "day", "week", "month", "year"]

    /// Returns the unit of a name or of the beginning of a long name, and its place among the units.
    private static func unit(_ name: Substring) -> (duration: Duration, place: Int)? {
        if let place = units.firstIndex(where: { $0.names.contains(String(name)) }) {
            return (units[place].duration, place)
        }
        guard name.count > 2, let place = longNames.firstIndex(where: { "\($0)s".hasPrefix(name) }) else { return nil }
        return (units[place].duration, place)
    }

    /// Returns the duration of numbers with units; a last number without a unit has the next shorter one: `1h30`.
    private static func sum(of text: String) -> Duration? {
        var rest = text.drop(while: \.isWhitespace)
        var sum = Duration.zero
        var last: Int?
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            let name = rest.dropFirst(number.count).drop(while: \.isWhitespace).prefix { $0.isLetter }
            guard let count = Double(number), count < 10_000 else { return nil }
            if name.isEmpty {
                guard let last, 1...3 ~= last, number.endIndex == rest.endIndex else { return nil }
                return sum + units[last - 1].duration.times(count)
            }
            guard let unit = unit(name) else { return nil }
            sum += unit.duration.times(count)
            last = unit.place
            rest = rest[name.endIndex...].drop { $0.isWhitespace || $0 == "." }
        }
        return last == nil ? nil : sum
    }

    /// The product, rounded to microseconds.
    private func times(_ count: Double) -> Duration {
        .microseconds(Int64((Double(nanoseconds) / 1000 * count).rounded()))
    }

    /// Returns the duration of a text in the form of a clock: `01:30:00`; nil for any other text, also for `1:30`, which
    /// may be minutes or hours.
    private static func clock(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
            0..<10_000 ~= hours, 0..<60 ~= minutes, 0..<60 ~= seconds
        else { return nil }
        return .seconds(hours * 3600 + minutes * 60 + seconds)
    }
}
