import EventLoop
import Spool
import System

/// The treatment of a stored message of a shared device.
enum LateVerdict {
    case send
    /// It is not known yet whether another gateway has published the reading.
    case wait
    /// Another gateway has published the reading.
    case drop
}

extension StoredRecord {
    /// The difference in milliseconds between two times of the clock that is not corrected in records.
    private static let tolerance: Int64 = 1000

    /// Returns a time on the clock of the loop at which the message had arrived.
    ///
    /// Of a record of an earlier start of the machine, only the calendar time is known.
    func arrival(_ clock: ClockReading) -> Instant {
        if isOfPresentStart { return record.moment }
        guard !isTimeUncertain else { return clock.moment }
        let age = clock.time.milliseconds - (correctedTime ?? record.time).milliseconds - Self.tolerance
        return clock.moment + (.zero - .milliseconds(max(0, age)))
    }
}
