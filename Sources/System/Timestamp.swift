import Glibc

/// A moment in UTC with a resolution of one millisecond, such as the time of a reading.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates a moment from the text that `description` returns: `2026-11-21T05:09:00.123Z`; nil for any other text.
    package init?(_ text: String) {
        let numbers = text.split { "-:.TZ".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 7 else { return nil }
        var calendar = tm()
        (calendar.tm_year, calendar.tm_mon, calendar.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (calendar.tm_hour, calendar.tm_min, calendar.tm_sec) = (numbers[3], numbers[4], numbers[5])
        self.init(milliseconds: Int64(timegm(&calendar)) * 1000 + Int64(numbers[6]))
        guard description == text else { return nil }
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The difference between local time and UTC at this moment, in seconds.
    package var localOffset: Int {
        var seconds = time_t(milliseconds / 1000)
        var calendar = tm()
        localtime_r(&seconds, &calendar)
        return calendar.tm_gmtoff
    }

    /// The moment in ISO 8601: `2026-11-21T05:09:00.123Z`.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the moment in ISO 8601 to a text in UTF-8.
    package func append(to text: inout [UInt8]) {
        // A clock that was never set can be before 1970.
        let milliseconds = max(0, milliseconds)
        var seconds = time_t(milliseconds / 1000)
        var calendar = tm()
        gmtime_r(&seconds, &calendar)
        let year = calendar.tm_year + 1900
        let start = text.count
        let pattern: StaticString = "0000-00-00T00:00:00.000Z"
        text.append(contentsOf: UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount))
        var digits = text.mutableSpan
        digits.write(year / 100, at: start)
        digits.write(year % 100, at: start + 2)
        digits.write(calendar.tm_mon + 1, at: start + 5)
        digits.write(calendar.tm_mday, at: start + 8)
        digits.write(calendar.tm_hour, at: start + 11)
        digits.write(calendar.tm_min, at: start + 14)
        digits.write(calendar.tm_sec, at: start + 17)
        let thousandths = Int32(milliseconds % 1000)
        digits.write(thousandths / 10, at: start + 20)
        digits[start + 22] = UInt8(ascii: "0") + UInt8(thousandths % 10)
    }
}

extension MutableSpan<UInt8> {
    /// Writes the two digits of a number from 0 to 99.
    fileprivate mutating func write(_ number: Int32, at index: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        self[index] = UInt8(ascii: "0") + number / 10
        self[index + 1] = UInt8(ascii: "0") + number % 10
    }
}
