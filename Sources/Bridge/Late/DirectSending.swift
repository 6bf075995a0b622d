import Spool
import System

/// The late messages that are sent from memory, because the disk does not accept them.
struct DirectSending {
    /// How many messages are sent at a time.
    static let window = 20

    /// The number of messages that the broker has neither accepted nor rejected.
    private(set) var inFlight = 0
    private var last: Int64 = 0

    /// Returns the record with a number, which rises like the numbers of the spool.
    mutating func begin(_ record: SpoolRecord, at now: Timestamp) -> StoredRecord {
        last = max(last + 1, now.leastRecordID)
        inFlight += 1
        return StoredRecord(id: last, record: record, correctedTime: nil, isTimeUncertain: false)
    }

    mutating func ended() {
        inFlight -= 1
    }
}
