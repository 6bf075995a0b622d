package import System

/// The calendar clock in relation to the time since the start of the machine.
package struct ClockReading: Hashable, Sendable {
    /// Identifies the start of the machine: the kernel's random `boot_id`.
    package let boot: String
    package let time: Timestamp
    package let moment: Instant
    /// Whether a time service has set the clock.
    package let isSynchronized: Bool

    package init(boot: String, time: Timestamp, moment: Instant, isSynchronized: Bool) {
        self.boot = boot
        self.time = time
        self.moment = moment
        self.isSynchronized = isSynchronized
    }

    /// Returns when the calendar clock had a time, by its present setting; a time of the future counts as now.
    package func moment(of time: Timestamp) -> Instant {
        let age = max(0, self.time.milliseconds.subtractingReportingOverflow(time.milliseconds).partialValue)
        return moment + .milliseconds(-min(age, Self.longestAge))
    }

    /// A hundred years in milliseconds: an older time is that of a damaged text.
    private static let longestAge: Int64 = 100 * 366 * 86_400_000

    /// The time at the start of the machine, in milliseconds since 1970.
    var offset: Int64 { time.milliseconds - moment.milliseconds }
}

extension Instant {
    /// The milliseconds since the start of the machine.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }

    init(milliseconds: Int64) {
        self.init(nanoseconds: milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue)
    }
}

extension Timestamp {
    /// The end of the year 9999: the last time that ISO 8601 can express with four digits.
    private static let last: Int64 = 253_402_300_799_999

    /// The least number of a record that is added at this time: the microseconds since 1970.
    ///
    /// From the year 2219 on, this number would be near the largest one that is exact in JSON: a record has the number after
    /// the last one.
    package var leastRecordID: Int64 {
        let (number, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
        return overflow || number >= RecordTable.greatestID / 8 * 7 || number < 1 ? 1 : number
    }

    /// Creates the nearest time that can be expressed; a damaged file may contain any number.
    init(possible milliseconds: Int64) {
        self.init(milliseconds: min(max(0, milliseconds), Self.last))
    }
}
