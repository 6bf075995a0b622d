package import System

/// One moment on the clock of the event loop and on the calendar.
package struct Moment: Equatable, Sendable {
    package let instant: Instant
    package let time: Timestamp
    /// The difference between local time and UTC in seconds.
    package let offset: Int

    package init(_ instant: Instant, _ time: Timestamp, offset: Int) {
        self.instant = instant
        self.time = time
        self.offset = offset
    }

    /// The number of whole seconds since 1970-01-01 in UTC.
    var seconds: Int64 {
        time.milliseconds >= 0 ? time.milliseconds / 1000 : (time.milliseconds - 999) / 1000
    }
}
