import Glibc

/// A moment in UTC, to the millisecond, as readings carry it.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// ISO 8601: `2026-11-21T05:09:00.123Z`.
    package var description: String {
        var seconds = time_t(milliseconds / 1000)
        var calendar = tm()
        gmtime_r(&seconds, &calendar)
        return digits(calendar.tm_year + 1900, 4) + "-" + digits(calendar.tm_mon + 1, 2) + "-"
            + digits(calendar.tm_mday, 2) + "T" + digits(calendar.tm_hour, 2) + ":" + digits(calendar.tm_min, 2) + ":"
            + digits(calendar.tm_sec, 2) + "." + digits(Int32(milliseconds % 1000), 3) + "Z"
    }

    private func digits(_ number: Int32, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
