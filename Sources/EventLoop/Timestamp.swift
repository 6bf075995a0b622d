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
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the moment to a text in UTF-8, as ISO 8601 writes it.
    package func append(to text: inout [UInt8]) {
        var seconds = time_t(milliseconds / 1000)
        var calendar = tm()
        gmtime_r(&seconds, &calendar)
        let year = calendar.tm_year + 1900
        text.append(twoDigits: year / 100)
        text.append(twoDigits: year % 100, "-")
        text.append(twoDigits: calendar.tm_mon + 1, "-")
        text.append(twoDigits: calendar.tm_mday, "T")
        text.append(twoDigits: calendar.tm_hour, ":")
        text.append(twoDigits: calendar.tm_min, ":")
        text.append(twoDigits: calendar.tm_sec, ".")
        let thousandths = Int32(milliseconds % 1000)
        text.append(twoDigits: thousandths / 10)
        text.append(UInt8(ascii: "0") + UInt8(thousandths % 10))
        text.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    fileprivate mutating func append(twoDigits number: Int32, _ end: Unicode.Scalar? = nil) {
        append(UInt8(ascii: "0") + UInt8(number / 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
        if let end { append(UInt8(ascii: end)) }
    }
}
