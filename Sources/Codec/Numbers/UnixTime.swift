/// A point in time in UTC, in seconds since 1970-01-01.
enum UnixTime {
    /// Returns a text such as `2026-11-21T05:09:00+00:00`; null for 0, the time of a clock that was never set.
    static func decode(seconds: Int) -> Value {
        guard seconds > 0 else { return .null }
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86400)
        let time = TimeOfDay(hours: rest / 3600, minutes: rest / 60 % 60, seconds: rest % 60)
        return .string("\(CalendarDate(daysSince1970: day))T\(time)+00:00")
    }

    /// Parses a date and time that ends with `Z` or `+00:00`, and returns its seconds; nil for any other text.
    static func seconds(of text: String) -> Int? {
        let local = ["Z", "+00:00"].first(where: text.hasSuffix).map { text.dropLast($0.count) }
        guard let parts = local?.split(separator: "T", omittingEmptySubsequences: false), parts.count == 2,
            let date = CalendarDate(parts[0]), let time = TimeOfDay(parts[1])
        else { return nil }
        return date.daysSince1970 * 86400 + time.hours * 3600 + time.minutes * 60 + time.seconds
    }
}
