/// A point in time in UTC, in seconds since 1970-01-01.
enum UnixTime {
    /// Returns a text such as `2026-11-21T05:09:00+00:00`; null for 0, the time of a clock that was never set.
    static func decode(seconds: Int) -> Value {
        seconds > 0 ? .string("\(dateAndTime(seconds))+00:00") : .null
    }

    private static func dateAndTime(_ seconds: Int) -> String {
        let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86400)
        let time = TimeOfDay(hours: rest / 3600, minutes: rest / 60 % 60, seconds: rest % 60)
        return "\(CalendarDate(daysSince1970: day))T\(time)"
    }

    /// Returns the text of a number of seconds, with the decimal places of its scale; null for 0 without an offset, for
    /// a time before 1970 and for "not known".
    static func decode(_ seconds: Value, _ meaning: Meaning, field: String) throws(DecodingError) -> Value {
        guard case .number(let number) = seconds, number > 0 else {
            return seconds == 0 && meaning.offset != 0 ? .string("1970-01-01T00:00:00+00:00") : .null
        }
        let places = max(-meaning.scale.normalized.exponent, -meaning.offset.normalized.exponent, 0)
        guard number < Decimal(end), places <= 9, let parts = number.steps(of: Decimal(1, exponent: -places)),
            let unit = Int128(1).scaled(byPowerOfTen: places)
        else { throw .invalid(field: field, "\(number) s is not a time from 1970 to 9999") }
        let (whole, fraction) = parts.quotientAndRemainder(dividingBy: unit)
        let decimals = places == 0 ? "" : "." + String(String(unit + fraction).dropFirst())
        return .string("\(dateAndTime(Int(whole)))\(decimals)+00:00")
    }

    /// The start of the year 10000.
    private static let end = 253_402_300_800

    /// Returns the number of seconds of a text, with its decimal places; null for "not known".
    static func number(for value: Value, _ meaning: Meaning, field: String) throws(EncodingError) -> Value {
        if value == .null { return meaning.unknown.isEmpty ? .number(meaning.offset) : .null }
        guard case .string(let text) = value, let number = number(of: text) else {
            throw .invalid(
                field: field, expected: "a date and time in UTC, such as 2026-11-21T05:09:00Z", found: value.description
            )
        }
        return .number(number)
    }

    /// Parses a date and time with decimal places, such as `2026-11-21T05:09:00.250Z`.
    private static func number(of text: String) -> Decimal? {
        guard let point = text.firstIndex(of: ".") else { return seconds(of: text).map { Decimal($0) } }
        let digits = text[point...].dropFirst().prefix { "0123456789".contains($0) }
        guard 1...9 ~= digits.count, let fraction = Int(digits),
            let whole = seconds(of: String(text[..<point]) + text[digits.endIndex...])
        else { return nil }
        return Decimal(whole).adding(Decimal(fraction, exponent: -digits.count))
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
