import Glibc
package import System

/// The messages in a spool file and in its journal, for a person to see; another process may write them at the same time.
package struct SpoolContents: Sendable {
    /// The messages of one topic for one broker.
    package struct Group: Sendable {
        /// The broker, with the prefix of its topics.
        package let broker: String
        /// The part of the topic after `…/late/`.
        package let topic: String
        package let count: Int
        /// The oldest time, as it was when the value was received.
        package let oldest: Timestamp
    }

    /// The groups in the order of brokers and topics.
    package let groups: [Group]
    /// The size of the file, in bytes.
    package let bytes: Int

    package var count: Int { groups.reduce(0) { $0 + $1.count } }
    package var oldest: Timestamp? { groups.map(\.oldest).min() }

    /// How often the file is read at most, if a bridge changes it meanwhile.
    private static let attempts = 20

    /// Reads the file of a folder; a missing file, and one that a power cut has left without tables, has no messages.
    ///
    /// - Throws: `SpoolError` if the file cannot be read.
    package init(of folder: String) throws(SpoolError) {
        let path = SpoolFile.path(in: folder)
        for _ in 0..<Self.attempts {
            let state = FileState(path)
            let contents = Result { () throws(SpoolError) in try SpoolContents(reading: folder) }
            // Otherwise pages of two states may have been mixed.
            guard FileState(path) == state else { continue }
            self = try contents.get()
            return
        }
        throw SpoolError(.other, "\(path) changes again and again: repeat the command")
    }

    /// The properties that change when a bridge replaces pages of the file; new pages in SQLite's log do not matter.
    private struct FileState: Equatable {
        private let size: Int?
        private let time: [Int]
        /// The header of the log, with a random number for each new log.
        private let log: [UInt8]

        init(_ path: String) {
            var status = stat()
            size = stat(path, &status) == 0 ? Int(status.st_size) : nil
            time = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            log = Self.start(of: "\(path)-wal")
        }

        private static func start(of path: String) -> [UInt8] {
            guard let file = try? PrivateFile.open(path, O_RDONLY, to: "read") else { return [] }
            defer { close(file) }
            // Source: https://www.sqlite.org/fileformat.html, 4.1.
            var bytes = [UInt8](repeating: 0, count: 32)
            return read(file, &bytes, bytes.count) == bytes.count ? bytes : []
        }
    }

    private init(reading folder: String) throws(SpoolError) {
        let mayHaveTables = SpoolFile.exists(in: folder) && !SpoolFile.isBeingCreated(in: folder)
        let database = mayHaveTables ? try Database(SpoolFile.path(in: folder), .readOnly) : nil
        var journal = JournalContents(of: folder)
        guard let database, let version = try database.number("PRAGMA user_version"), version != 0 else {
            (groups, bytes) = (Self.joined([], journal), 0)
            return
        }
        guard RecordTable.isReadable(version) else { throw RecordTable.otherVersion(database) }
        let rows = try database.prepare(
            """
            SELECT brokers.name, topics.name, COUNT(*), MIN(time) FROM records
            JOIN brokers ON broker = brokers.number JOIN topics ON topic = topics.number
            GROUP BY broker, topic ORDER BY brokers.name, topics.name
            """)
        var groups: [Group] = []
        while try rows.step() {
            groups.append(
                Group(
                    broker: rows.text(at: 0), topic: rows.text(at: 1), count: Int(rows.number(at: 2)),
                    oldest: Timestamp(possible: rows.number(at: 3))))
        }
        try journal.removeRecords(in: database)
        self.groups = Self.joined(groups, journal)
        bytes = Int(try database.number("PRAGMA page_count") ?? 0) * RecordTable.pageSize
    }

    /// Adds the records of the journal to the groups.
    private static func joined(_ groups: [Group], _ journal: JournalContents) -> [Group] {
        struct Topic: Hashable {
            let broker: String
            let topic: String
        }
        var joined = Dictionary(uniqueKeysWithValues: groups.map { (Topic(broker: $0.broker, topic: $0.topic), $0) })
        for record in journal.parts.flatMap(\.records) {
            let topic = Topic(broker: record.broker, topic: record.topic)
            let before = joined[topic]
            joined[topic] = Group(
                broker: record.broker, topic: record.topic, count: (before?.count ?? 0) + 1,
                oldest: min(before?.oldest ?? record.time, record.time))
        }
        return joined.values.sorted { ($0.broker, $0.topic) < ($1.broker, $1.topic) }
    }
}
