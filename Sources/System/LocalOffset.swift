import Glibc

/// The difference between the local time of the machine and UTC.
package struct LocalOffset: Equatable, Sendable {
    /// The difference in seconds, with daylight saving time.
    package let total: Int
    /// The part of the difference that is daylight saving time, in seconds.
    package let daylight: Int

    /// - Parameter moment: the moment at which the difference applies.
    package init(at moment: Timestamp) {
        self.init(at: Int(moment.milliseconds / 1000)) { seconds in
            var (seconds, calendar) = (time_t(seconds), unsafe tm())
            unsafe localtime_r(&seconds, &calendar)
            return unsafe (calendar.tm_gmtoff, calendar.tm_isdst > 0)
        }
    }

    /// - Parameters:
    ///   - seconds: the seconds since 1970-01-01.
    ///   - zone: returns the difference at a time, and whether it contains daylight saving time.
    init(at seconds: Int, in zone: (Int) -> (offset: Int, isDaylight: Bool)) {
        let now = zone(seconds)
        total = now.offset
        // The calendar of the C library does not contain the amount: the standard time of another season does.
        let seasons = [91, 182, 273].map { zone(seconds + $0 * 86400) }
        let standard = now.isDaylight ? seasons.first { !$0.isDaylight } : nil
        daylight = standard.map { now.offset - $0.offset } ?? 0
    }
}
