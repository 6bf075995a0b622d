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

    /// A larger number is damaged: JSON numbers are exact up to 2 to the power of 53.
    private static let greatestID: Int64 = 1 << 53

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
        var forward = Reader(database, .forward)
        var backward = Reader(database, .backward)
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
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        // The size of a page is 4096 bytes; the versions are those of a file with a log of changes.
        let header = Array("SQLite format 3\0".utf8) + [0x10, 0x00, 2, 2, 0, 64, 32, 32]
        pwrite(file, header, header.count, 0)
    }

    private func restore(_ batch: [StoredRecord]) throws(SpoolError) -> Int {
        try table.restore(batch, clock)
        return batch.count
    }

    /// Reads the records in one direction, up to the first one that cannot be read.
    private struct Reader {
        private let direction: Direction
        private let rows: Statement?
        /// A file of version 1 has no checksums.
        private let hasChecksums: Bool
        private(set) var last: Int64?
        /// The number of records that have changed on the disk.
        private(set) var changed = 0
        /// Whether there is no further record: SQLite would begin again.
        private var isAtEnd = false

        init(_ database: Database, _ direction: Direction) {
            self.direction = direction
            hasChecksums = (try? database.number("PRAGMA user_version")) != 1
            rows = try? database.prepare(
                """
                SELECT id, COALESCE((SELECT name FROM brokers WHERE broker = records.broker), ''), moment, time, bare,
                    topic, payload, broker, boot, \(hasChecksums ? "sum" : "0") FROM records ORDER BY id \(direction.rawValue)
                """)
        }

        /// Returns the next records, up to a size in bytes; nil if there is none, or if the next one is not after `limit`.
        mutating func next(_ most: Int, after limit: Int64? = nil) -> [StoredRecord]? {
            var (records, size): ([StoredRecord], Int) = ([], 0)
            while !isAtEnd, size < most, let rows {
                guard (try? rows.step()) == true, isInOrder(rows.number(at: 0)), rows.number(at: 0) > limit ?? 0 else {
                    isAtEnd = true
                    break
                }
                let id = rows.number(at: 0)
                last = id
                let stored = Self.record(rows, id)
                guard id < Salvage.greatestID, isIntact(stored, rows) else {
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

        private func isIntact(_ stored: StoredRecord, _ row: Statement) -> Bool {
            let checksum = Checksum(
                of: stored.record, id: stored.id, broker: row.number(at: 7), boot: row.number(at: 8))
            return !hasChecksums || row.number(at: 9) == checksum.value
        }

        private static func record(_ row: Statement, _ id: Int64) -> StoredRecord {
            let record = Record(
                broker: row.text(at: 1), topic: row.text(at: 5), payload: row.bytes(at: 6),
                isBare: row.number(at: 4) != 0, time: Timestamp(possible: row.number(at: 3)),
                moment: Instant(milliseconds: row.number(at: 2)))
            return StoredRecord(id: id, record: record, correctedTime: nil, isTimeUncertain: false)
        }
    }
}
