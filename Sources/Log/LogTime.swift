import Glibc
package import System

/// The time at which a log line is written.
package struct LogTime {
    /// Seconds since 1970-01-01T00:00:00Z.
    let seconds: Int
    let milliseconds: Int

    static var now: LogTime {
        var moment = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &moment)
        return LogTime(seconds: moment.tv_sec, milliseconds: moment.tv_nsec / 1_000_000)
    }

    /// The seconds since the host started, independent of changes of the calendar time.
    static var uptime: Int {
        var moment = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &moment)
        return moment.tv_sec
    }

    /// The time of day in local time: `05:09:00.123`.
    var ofDay: String {
        clock(calendar(local: true))
    }

    /// The time of day in local time, without milliseconds: `05:09:00`.
    var shortTimeOfDay: String {
        String(ofDay.prefix(8))
    }

    /// The time as a moment in UTC.
    package var timestamp: Timestamp { Timestamp(milliseconds: Int64(seconds) * 1000 + Int64(milliseconds)) }

    /// The date and time in UTC: `2026-11-21T05:09:00.123Z`.
    package var utc: String {
        let calendar = calendar(local: false)
        return joined(calendar.prefix(3), "-") + "T" + clock(calendar) + "Z"
    }

    /// Returns year, month, day, hour, minute and second.
    private func calendar(local: Bool) -> [Int] {
        var seconds = seconds
        var calendar = unsafe tm()
        _ = local ? unsafe localtime_r(&seconds, &calendar) : unsafe gmtime_r(&seconds, &calendar)
        let day = unsafe [calendar.tm_year + 1900, calendar.tm_mon + 1, calendar.tm_mday]
        let time = unsafe [calendar.tm_hour, calendar.tm_min, calendar.tm_sec]
        return (day + time).map(Int.init)
    }

    private func clock(_ calendar: [Int]) -> String {
        joined(calendar.suffix(3), ":") + "." + digits(milliseconds, 3)
    }

    private func joined(_ numbers: ArraySlice<Int>, _ separator: String) -> String {
        numbers.map { digits($0, 2) }.joined(separator: separator)
    }

    private func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
