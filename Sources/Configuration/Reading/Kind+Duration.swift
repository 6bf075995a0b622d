import Codec

extension Kind where Value == Duration {
    /// A length of time: a whole number and its unit, as in `30s`.
    package static var duration: Kind {
        scalar("duration") { text, _ throws(Complaint) in try Duration(text: text) }
    }

    /// A length of time that is not nothing.
    package static var positiveDuration: Kind {
        scalar("duration") { text, _ throws(Complaint) in try Duration(positive: text) }
    }
}

extension Duration {
    private static let units: KeyValuePairs<String, Duration> = [
        "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600), "d": .seconds(86400),
    ]

    // Ten thousand days: nobody waits longer, and no sum of two can overflow a timer.
    private static let longest = Duration.seconds(10_000 * 86400)

    /// The duration a person wrote: `500ms`, `30s`, `10m`, `1h` or `7d`.
    package init(text: String) throws(Complaint) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else {
            throw "expected a duration such as 30s, 10m or 1h, found \(text.quotedForMessage)"
        }
        let suffix = text.dropFirst(digits.count)
        guard !suffix.isEmpty else {
            throw "a duration needs a unit: \(digits)s for seconds, \(digits)m for minutes"
        }
        guard let unit = Self.units.first(where: { $0.key == suffix }) else {
            throw "expected a whole number and ms, s, m, h or d, found \(text.quotedForMessage)"
        }
        guard let count = Int(digits), Double(count) <= Self.longest / unit.value else {
            throw "a duration may not be longer than 10000d"
        }
        self = unit.value * count
    }

    /// The duration a person wrote, where nothing at all makes no sense.
    package init(positive text: String) throws(Complaint) {
        self = try Duration(text: text)
        guard self > .zero else { throw "expected a duration above 0" }
    }
}
