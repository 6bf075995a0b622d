import Spool
import System

/// The numbers of late messages: they rise, and none is used twice.
final class LateNumbers: @unchecked Sendable {
    // Used only on the thread of the event loop.
    private var last: Int64 = 0

    /// Returns the first one of consecutive new numbers.
    func reserve(_ count: Int = 1, at now: Timestamp) -> Int64 {
        let first = max(last + 1, now.leastRecordID)
        last = first + Int64(count) - 1
        return first
    }

    /// Notes a number that the disk has given to a record.
    func note(_ number: Int64) {
        last = max(last, number)
    }
}
