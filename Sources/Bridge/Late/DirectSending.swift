import Spool

/// The late messages that are sent from memory, because the disk does not accept them.
struct DirectSending {
    /// How many messages are sent at a time.
    static let window = 20

    /// The number of messages that the broker has neither accepted nor rejected.
    private(set) var inFlight = 0

    /// Returns the record with its number.
    mutating func begin(_ record: SpoolRecord, number: Int64) -> StoredRecord {
        inFlight += 1
        return StoredRecord(id: number, record: record, correctedTime: nil, isTimeUncertain: false)
    }

    mutating func ended() {
        inFlight -= 1
    }
}
