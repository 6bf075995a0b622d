import Glibc
import System

/// Copies the readable records of a damaged file.
///
/// SQLite reads a damaged table up to the first page that it cannot read. The records after this page are read from the
/// end of the table.
struct Salvage {
    private enum Direction: String {
        case forward = "ASC"
        case backward = "DESC"
    }

    private let path: String
    private let table: RecordTable
    private let clock: ClockReading

    /// - Parameters:
    ///   - path: the path of the damaged file.
    ///   - table: the table that receives the records.
    ///   - clock: the present clock.
    init(of path: String, to table: RecordTable, _ clock: ClockReading) {
        self.path = path
        self.table = table
        self.clock = clock
    }

    /// Copies all readable records, which keep their numbers and their times.
    ///
    /// - Returns: The number of the copied records, and of those that have changed on the disk and were not copied.
    /// - Throws: `SpoolError` if the new file cannot be written.
    func copy() throws(SpoolError) -> (copied: Int, changed: Int) {
        restoreHeader()
        guard let database = try? Database(path, .readWrite) else { return (0, 0) }
        let names = Names(of: database)
        var forward = Reader(database, names, .forward)
        var backward = Reader(database, names, .backward)
        var count = 0
        while let batch = forward.next(table.transactionSize) { count += try restore(batch) }
        // Both directions meet if all pages can be read.
        while let batch = backward.next(table.transactionSize, after: forward.last) { count += try restore(batch) }
        try table.load()
        return (count, forward.changed + backward.changed)
    }

    /// Writes the constant part of the header again: one changed byte there makes the whole file unreadable.
    ///
    /// Source: https://www.sqlite.org/fileformat.html, 1.3.
    private func restoreHeader() {
        guard let file = try? PrivateFile.open(path, O_RDWR, to: "write") else { return }
        defer { close(file) }
        var pageSize: [UInt8] = [0, 0]
        pread(file, &pageSize, 2, 16)
        // A page has 1024 bytes; in version 2 of the tables, it had 4096.
        if pageSize != [0x10, 0x00] { pageSize = [0x04, 0x00] }
        // The versions are those of a file with a log of changes.
        let header = Array("SQLite format 3\0".utf8) + pageSize + [2, 2, 0, 64, 32, 32]
        pwrite(file, header, header.count, 0)
    }

    private func restore(_ batch: [StoredRecord]) throws(SpoolError) -> Int {
        try table.restore(batch, clock)
        return batch.count
    }

    /// The readable names of brokers and topics.
    private struct Names {
        private var brokers: NameTable
        /// Nil: each record contains its topic, as in version 2 of the tables.
        private var topics: NameTable?

        init(of database: Database) {
            brokers = NameTable(database, "brokers")
            topics = (try? database.number("PRAGMA user_version")) == 2 ? nil : NameTable(database, "topics")
            try? brokers.load()
            try? topics?.load()
        }

        func broker(_ number: Int64) -> String? { brokers.name(of: number) }

        func topic(at column: Int32, of row: Statement) -> String? {
            guard let topics else { return row.text(at: column) }
            return topics.name(of: row.number(at: column))
        }
    }

    /// Reads the records in one direction, up to the first one that cannot be read.
    private struct Reader {
        private let direction: Direction
        private let names: Names
        private let rows: Statement?
        private(set) var last: Int64?
        /// The number of records that have changed on the disk.
        private(set) var changed = 0
        /// Whether there is no further record: SQLite would begin again.
        private var isAtEnd = false

        init(_ database: Database, _ names: Names, _ direction: Direction) {
            (self.names, self.direction) = (names, direction)
            // Before version 4, records had no stamp.
            rows =
                ["stamp", "NULL"].lazy.compactMap { stamp in
                    try? database.prepare(
                        """
                        SELECT id, broker, boot, moment, time, bare, topic, payload, sum, \(stamp) FROM records
                        ORDER BY id \(direction.rawValue)
                        """)
                }.first
        }

        /// Returns the next records, up to a size in bytes; nil if there is none, or if the next one is not after `limit`.
        mutating func next(_ most: Int, after limit: Int64? = nil) -> [StoredRecord]? {
            var (records, size): ([StoredRecord], Int) = ([], 0)
            while !isAtEnd, size < most, let rows {
                guard (try? rows.step()) == true, isInOrder(rows.number(at: 0)), rows.number(at: 0) > limit ?? 0 else {
                    isAtEnd = true
                    break
                }
                last = rows.number(at: 0)
                guard let stored = intactRecord(rows) else {
                    changed += 1
                    continue
                }
                records.append(stored)
                size += stored.record.size
            }
            return records.isEmpty ? nil : records
        }

        /// Returns whether a number follows the last one: in a damaged table, the order may be broken.
        private func isInOrder(_ id: Int64) -> Bool {
            guard let last else { return true }
            return direction == .forward ? id > last : id < last
        }

        /// Returns the record of the present row; nil if it has changed on the disk.
        private func intactRecord(_ row: Statement) -> StoredRecord? {
            let (id, number, boot) = (row.number(at: 0), row.number(at: 1), row.number(at: 2))
            guard id < RecordTable.greatestID, let broker = names.broker(number),
                let topic = names.topic(at: 6, of: row)
            else { return nil }
            let record = SpoolRecord(
                broker: broker, topic: topic, payload: row.bytes(at: 7), isBare: row.number(at: 5) != 0,
                time: Timestamp(possible: row.number(at: 4)), moment: Instant(milliseconds: row.number(at: 3)),
                stamp: row.optionalText(at: 9))
            let checksum = RowChecksum(of: record, id: id, broker: number, boot: boot)
            guard row.number(at: 8) == checksum.value else { return nil }
            return StoredRecord(id: id, record: record, correctedTime: nil, isTimeUncertain: false)
        }
    }
}
