/// A moment and the time zone of the gateway, for the value `now` of a clock.
package struct LocalMoment: Sendable {
    /// The text that means the present time when a clock is written.
    package static let now = "now"

    /// Milliseconds since 1970-01-01T00:00:00Z.
    private let milliseconds: Int
    /// The difference between the local time and UTC in seconds, with daylight saving time.
    private let offset: Int
    /// The part of the difference that is daylight saving time, in seconds.
    private let daylight: Int

    package init(milliseconds: Int, offset: Int, daylight: Int) {
        self.milliseconds = milliseconds
        self.offset = offset
        self.daylight = daylight
    }
}

extension LocalMoment {
    private var localSeconds: Int { milliseconds / 1000 + offset }

    private var date: CalendarDate { CalendarDate(daysSince1970: localSeconds / 86400) }

    fileprivate var dateTime: Value {
        let seconds = localSeconds % 86400
        return .string("\(date)T\(TimeOfDay(hours: seconds / 3600, minutes: seconds / 60 % 60, seconds: seconds % 60))")
    }

    /// The day of the week, from 1 (Monday) to 7; 1970-01-01 was a Thursday.
    fileprivate var dayOfWeek: Value { .number(Decimal((localSeconds / 86400 + 3) % 7 + 1)) }

    fileprivate var fractions: Value { .number(Decimal(milliseconds % 1000 * 256 / 1000)) }

    /// The offset of the standard time in minutes; null if the characteristic cannot express it.
    fileprivate var timeZone: Value {
        let standard = offset - representedDaylight
        return standard.isMultiple(of: 900) ? .number(Decimal(standard / 60)) : .null
    }

    fileprivate var daylightSaving: Value { .number(Decimal(representedDaylight / 900)) }

    /// The daylight saving time, if the characteristic DST Offset has a number for it; else it belongs to the time zone.
    private var representedDaylight: Int { [1800, 3600, 7200].contains(daylight) ? daylight : 0 }
}

extension Format {
    /// Whether the text `now` is a value of the format: a clock, which is set to the time of the gateway.
    package var isClock: Bool { Self.clocks[self] != nil }

    /// Whether a text without quotation marks can be a value: that of a single text, or `now` for a clock.
    package func takesPlainText(_ text: String) -> Bool { takesPlainText || text == LocalMoment.now && isClock }

    /// Encodes a value; the text `now` of a clock is a moment.
    ///
    /// - Throws: `EncodingError` for the first field that does not fit.
    package func encode(_ value: Value, at moment: LocalMoment) throws(EncodingError) -> [UInt8] {
        guard value == .string(LocalMoment.now), let clock = Self.clocks[self] else { return try encode(value) }
        return try encode(clock(moment))
    }

    /// The values of the standard characteristics that can only mean the present time.
    ///
    /// Clocks show local time (Current Time Service 1.1, 3.1). The offsets of the time zone and of the daylight saving time
    /// are separate (3.2). The adjustment comes from an external reference (3.1.2), because the gateway's clock is set by the
    /// network.
    private static let clocks: [Format: @Sendable (LocalMoment) -> Value] = {
        let values: [(String, @Sendable (LocalMoment) -> Value)] = [
            ("date_time", { $0.dateTime }),
            ("day_date_time", { ["date_time": $0.dateTime, "day_of_week": $0.dayOfWeek] }),
            (
                "exact_time_256",
                { ["date_time": $0.dateTime, "day_of_week": $0.dayOfWeek, "fractions256": $0.fractions] }
            ),
            (
                "current_time",
                {
                    [
                        "date_time": $0.dateTime, "day_of_week": $0.dayOfWeek, "fractions256": $0.fractions,
                        "adjust_reason": 2,
                    ]
                }
            ),
            ("local_time_information", { ["time_zone": $0.timeZone, "dst_offset": $0.daylightSaving] }),
        ]
        return Dictionary(
            values.compactMap { name, value in
                Characteristics.definition(named: name).map { ($0.format, value) }
            }
        ) { first, _ in first }
    }()
}
