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
        text.append(calendar.tm_year + 1900, digits: 4, before: "-")
        text.append(calendar.tm_mon + 1, digits: 2, before: "-")
        text.append(calendar.tm_mday, digits: 2, before: "T")
        text.append(calendar.tm_hour, digits: 2, before: ":")
        text.append(calendar.tm_min, digits: 2, before: ":")
        text.append(calendar.tm_sec, digits: 2, before: ".")
        text.append(Int32(milliseconds % 1000), digits: 3, before: "Z")
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: Int32, digits: Int, before end: Unicode.Scalar) {
        var power: Int32 = 1
        for _ in 1..<digits { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
        append(UInt8(ascii: end))
    }
}
