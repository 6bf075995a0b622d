package import System

/// The state of the records of one broker.
package struct SpoolReport: Hashable, Sendable {
    /// The number of records of the broker.
    package var waiting = 0
    /// The number of records of all brokers.
    package var total = 0
    /// The size of all records on the disk, in bytes.
    package var bytes = 0
    /// The time of the oldest record of the broker; nil if there is none.
    package var oldest: Timestamp?
    package var counters: SpoolCounters

    package init(counters: SpoolCounters = SpoolCounters()) {
        self.counters = counters
    }

    init(waiting: Int, total: Int, bytes: Int, oldest: Timestamp?, counters: SpoolCounters) {
        self.waiting = waiting
        self.total = total
        self.bytes = bytes
        self.oldest = oldest
        self.counters = counters
    }
}

/// The numbers of removed, copied and written records since the program started.
package struct SpoolCounters: Hashable, Sendable {
    /// The number of records that were removed because the file was full.
    package var dropped = 0
    /// The number of records that were removed because of their age.
    package var expired = 0
    /// The number of records that were copied from a damaged file.
    package var salvaged = 0
    /// The number of records in damaged files that had changed on the disk, and were not copied.
    package var changed = 0
    /// The bytes that were written to the disk.
    package var written = 0
    /// Why the last damaged file was replaced; nil if none was.
    package var damage: String?

    package init() {}
}
