/// A date in the Gregorian calendar.
struct CalendarDate: Hashable {
    let year: Int
    let month: Int
    let day: Int

    /// The years that the characteristics of the Bluetooth SIG can express.
    static let years = 1582...9999

    /// Creates the date that is `days` days after 1970-01-01.
    init(daysSince1970 days: Int) {
        // Howard Hinnant's algorithm: years begin in March, so that the leap day comes last, and 400 years are an era.
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses a date such as `2026-11-21`; nil for any other text.
    init?(_ text: some StringProtocol) {
        guard let parts = text.numbers(separatedBy: "-", minimumDigits: [4, 2, 2]) else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
        guard isValid else { return nil }
    }

    var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.flooredQuotient(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whether the date exists in the calendar.
    var isValid: Bool {
        1...12 ~= month && day >= 1 && CalendarDate(daysSince1970: daysSince1970) == self
    }

    /// Whether a part is 0, which means "not known", and the other parts are possible.
    var isUnknown: Bool {
        (year == 0 || month == 0 || day == 0) && month <= 12 && day <= 31
    }

    /// Returns the value of the characteristic 2AED (Date UTC): a date as text, or null for 0 days.
    static func decode(days: Int) -> Value {
        days == 0 ? .null : .string(CalendarDate(daysSince1970: days).description)
    }
}

extension CalendarDate: CustomStringConvertible {
    var description: String {
        "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

extension Int {
    fileprivate func flooredQuotient(by divisor: Int) -> Int {
        (self >= 0 ? self : self - divisor + 1) / divisor
    }
}
