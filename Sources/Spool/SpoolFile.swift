import EventLoop
import Glibc
import System

/// The file in which messages wait for the broker: `spool.db` in a folder of the state folder.
///
/// The actor runs on a thread of its own, because the synchronization of a worn memory card takes seconds. The thread
/// exists only during a call, and the file is open only while messages wait.
///
/// A damaged file is renamed to `spool.db.damaged`; its readable records are copied to a new file.
package actor SpoolFile {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    private let executor = BackgroundExecutor()
    private let folder: String
    private var limits: SpoolLimits
    private var table: RecordTable?
    private var counters = SpoolCounters()
    /// The number after the last one that was used.
    private var nextID: Int64 = 0

    /// - Parameters:
    ///   - folder: the folder of the file; the first record creates it.
    ///   - limits: the limits of size, age and free space.
    package init(in folder: String, limits: SpoolLimits) {
        self.folder = folder
        self.limits = limits
        unownedExecutor = executor.asUnownedSerialExecutor()
    }

    private var path: String { Self.path(in: folder) }

    /// Returns the path of the file in a folder.
    package static func path(in folder: String) -> String { "\(folder)/spool.db" }

    /// Whether a folder has a file of an earlier run, or something else with its name, such as a link.
    package static func exists(in folder: String) -> Bool {
        var status = stat()
        return lstat(path(in: folder), &status) == 0
    }

    /// Whether the file has no messages yet.
    ///
    /// SQLite has a rollback journal only until it uses its log of changes. A power cut can leave this journal, and only a
    /// connection that writes can use it.
    static func isBeingCreated(in folder: String) -> Bool { access("\(path(in: folder))-journal", F_OK) == 0 }

    package func use(_ limits: SpoolLimits) {
        self.limits = limits
    }

    // MARK: Writing

    /// Adds records, and returns when they are on the disk.
    ///
    /// If the file is full, the oldest records of the devices with the most bytes make room.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - first: The least number of the first record.
    ///   - clock: The present clock.
    /// - Returns: The numbers of the added records, and the failure that kept the other records from being added.
    package func append(
        _ records: [SpoolRecord], from first: Int64 = 0, _ clock: ClockReading
    ) -> (ids: [Int64], failure: SpoolError?) {
        nextID = max(nextID, first)
        return append(records, from: clock, clock)
    }

    /// Adds records that were received with another clock: before a start of the machine.
    private func append(
        _ records: [SpoolRecord], from origin: ClockReading, _ clock: ClockReading
    ) -> (ids: [Int64], failure: SpoolError?) {
        var ids: [Int64] = []
        do throws(SpoolError) {
            while ids.count < records.count {
                let batch = nextBatch(of: records, from: ids.count)
                let first = try withTable(clock) { table throws(SpoolError) in
                    try makeRoom(for: batch.reduce(0) { $0 + $1.size }, in: table, clock)
                    return try table.insert(batch, startingAt: nextID, from: origin, clock)
                }
                nextID = first + Int64(batch.count)
                ids += first..<nextID
            }
            return (ids, nil)
        } catch {
            return (ids, error)
        }
    }

    /// Adds the records in the journal of an earlier run that are not in the file, and empties the journal.
    ///
    /// - Returns: The number of the added records.
    /// - Throws: `SpoolError`; then the journal remains.
    package func recover(_ clock: ClockReading) throws(SpoolError) -> Int {
        var journal = JournalContents(of: folder)
        if !journal.parts.isEmpty {
            journal = try withTable(clock) { table throws(SpoolError) in
                var rest = journal
                try rest.removeRecords(in: table.database)
                return rest
            }
        }
        var count = 0
        for part in journal.parts {
            let (ids, failure) = append(part.records, from: part.clock, clock)
            if let failure { throw failure }
            count += ids.count
        }
        counters.changed += journal.damaged
        JournalContents.remove(in: folder)
        return count
    }

    /// Returns the records of the next transaction.
    private func nextBatch(of records: [SpoolRecord], from start: Int) -> ArraySlice<SpoolRecord> {
        var (end, size) = (start, 0)
        while end < records.count, size < limits.transactionSize {
            size += records[end].size
            end += 1
        }
        return records[start..<end]
    }

    /// Stores a new relation between the clock and the time since the start of the machine.
    ///
    /// - Throws: `SpoolError`.
    package func clockChanged(_ clock: ClockReading) throws(SpoolError) {
        guard table != nil else { return }
        _ = try withTable(clock) { table throws(SpoolError) in try table.number(of: clock) }
    }

    /// Checks that the disk accepts records; adds and removes none.
    ///
    /// - Throws: `SpoolError`; `full` if there is no room.
    package func probe(_ clock: ClockReading) throws(SpoolError) {
        try withTable(clock) { table throws(SpoolError) in
            // The oldest records can make room.
            if table.count == 0 {
                guard try hasRoom(for: 1, in: table, limit(for: 1, in: table)) else { throw noRoom() }
            }
            try table.rewriteHeader()
        }
    }

    // MARK: Limits

    /// How many records are removed at once.
    private static let step = 256

    /// Removes the oldest records of the devices with the most bytes until there is room for `size` bytes.
    private func makeRoom(for size: Int, in table: RecordTable, _ clock: ClockReading) throws(SpoolError) {
        try removeExpired(from: table, clock)
        let limit = try limit(for: size, in: table)
        while try !hasRoom(for: size, in: table, limit) {
            let removed = try table.makeRoom(Self.step)
            counters.dropped += removed
            guard removed > 0 else { throw noRoom() }
        }
    }

    /// The largest size of the tables with another `size` bytes.
    private func limit(for size: Int, in table: RecordTable) throws(SpoolError) -> Int {
        let limit = limits.size - limits.logSize - 2 * limits.journalSize
        let (later, present) = (try table.fileBytes(), FileSystem.size(of: path) ?? 0)
        let needed = limits.freeSpace + 2 * size + max(0, later - present)
        return FileSystem.freeBytes(of: folder) ?? .max < needed ? min(limit, later) : limit
    }

    private func hasRoom(for size: Int, in table: RecordTable, _ limit: Int) throws(SpoolError) -> Bool {
        // A record needs more space than its contents.
        try table.usedBytes() + 2 * size <= limit
    }

    private func noRoom() -> SpoolError {
        SpoolError(.full, "\(path): there is no room: free some space on its file system")
    }

    /// Removes the records that are older than the maximum age.
    ///
    /// Records of an uncertain time remain: they may be new. Without a synchronized clock, all remain: a clock that is
    /// years ahead would remove all of them.
    private func removeExpired(from table: RecordTable, _ clock: ClockReading) throws(SpoolError) {
        guard clock.isSynchronized else { return }
        while let oldest = try table.oldest(boot: clock.boot), !oldest.isTimeUncertain {
            let time = oldest.correctedTime ?? oldest.record.time
            guard clock.time.milliseconds - time.milliseconds > limits.age.nanoseconds / 1_000_000 else { return }
            counters.expired += try table.removeOldest(1)
        }
    }

    // MARK: Reading and removing

    /// Returns the records of a broker in the order of their numbers.
    ///
    /// - Parameters:
    ///   - id: the number after which to start; 0: at the oldest record.
    ///   - broker: the broker with the prefix of its topics.
    ///   - most: the maximum number of records.
    ///   - clock: the present clock.
    /// - Returns: Up to `most` records.
    /// - Throws: `SpoolError`.
    package func records(
        after id: Int64, of broker: String, most: Int, _ clock: ClockReading
    ) throws(SpoolError) -> [StoredRecord] {
        try withTable(clock) { table throws(SpoolError) in
            try removeExpired(from: table, clock)
            try table.number(of: clock)
            return try table.records(after: id, of: broker, most: most, boot: clock.boot)
        }
    }

    /// Removes records that the broker has accepted.
    ///
    /// - Throws: `SpoolError`.
    package func remove(_ ids: [Int64], _ clock: ClockReading) throws(SpoolError) {
        guard !ids.isEmpty else { return }
        _ = try withTable(clock) { table throws(SpoolError) in try table.remove(ids) }
    }

    /// Removes the records of a broker up to a number.
    ///
    /// - Throws: `SpoolError`.
    package func remove(through id: Int64, of broker: String, _ clock: ClockReading) throws(SpoolError) {
        try withTable(clock) { table throws(SpoolError) in try table.remove(through: id, of: broker) }
    }

    /// Removes all records of all brokers, and returns their number.
    ///
    /// - Throws: `SpoolError`.
    package func removeAll(_ clock: ClockReading) throws(SpoolError) -> Int {
        guard table != nil || Self.exists(in: folder) else { return 0 }
        let count = try withTable(clock) { table throws(SpoolError) in try table.removeAll() }
        table = nil
        return count
    }

    /// Returns the state of the records of a broker; opens an existing file.
    ///
    /// - Parameters:
    ///   - broker: the broker with the prefix of its topics.
    ///   - id: the number after which the records count; 0: all of the broker.
    ///   - clock: the present clock.
    /// - Returns: The state.
    /// - Throws: `SpoolError`.
    package func report(
        of broker: String, after id: Int64 = 0, _ clock: ClockReading
    ) throws(SpoolError) -> SpoolReport {
        guard table != nil || Self.exists(in: folder) else { return SpoolReport(counters: counters) }
        return try withTable(clock) { table throws(SpoolError) in
            let oldest = try table.records(after: id, of: broker, most: 1, boot: clock.boot).first
            var counters = counters
            counters.written += table.writtenBytes
            return SpoolReport(
                waiting: try table.count(of: broker, after: id), total: table.count, bytes: try table.usedBytes(),
                oldest: oldest.map { $0.correctedTime ?? $0.record.time }, counters: counters)
        }
    }

    /// Closes the file; an empty file gives its space back.
    ///
    /// The next call opens the file again.
    package func close() {
        guard let table else { return }
        if table.count == 0 { try? table.shrink() }
        forget(table)
    }

    private func forget(_ table: RecordTable) {
        counters.written += table.writtenBytes
        self.table = nil
    }

    // MARK: Opening

    /// Calls `body` with the open tables; a new file takes the place of a damaged one.
    private func withTable<Result>(
        _ clock: ClockReading, _ body: (RecordTable) throws(SpoolError) -> Result
    ) throws(SpoolError) -> Result {
        do throws(SpoolError) {
            return try body(openTable(clock))
        } catch {
            guard error.kind == .damaged else { throw error }
            try replaceDamaged(clock, because: error)
            return try body(openTable(clock))
        }
    }

    private func openTable(_ clock: ClockReading) throws(SpoolError) -> RecordTable {
        if let table { return table }
        // The state folder exists. If the folder cannot be created, opening the file fails.
        mkdir(folder, 0o700)
        // SQLite would open the file without a right to write, and the file would seem to be damaged.
        guard access(folder, W_OK) == 0 || errno != EROFS else {
            throw SpoolError(.other, "\(path): the file system is read-only")
        }
        let table = try RecordTable(
            Database(path, .readWrite), transactionSize: limits.transactionSize, from: nextID, at: clock.time)
        self.table = table
        return table
    }

    /// Renames the damaged file, and copies what is readable to a new one.
    private func replaceDamaged(_ clock: ClockReading, because error: SpoolError) throws(SpoolError) {
        if let table { forget(table) }
        let damaged = try Database.setAside(path)
        counters.damage = error.description
        let table = try openTable(clock)
        let (copied, changed) = try Salvage(of: damaged, to: table, clock).copy()
        counters.salvaged += copied
        counters.changed += changed
    }
}
