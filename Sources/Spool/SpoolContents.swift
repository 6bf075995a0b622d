package import System

/// The messages in a spool file, for a person to see; another process may write the file at the same time.
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

    /// Reads the file of a folder; a missing file, and one that a power cut has left without tables, has no messages.
    ///
    /// - Throws: `SpoolError` if the file cannot be read.
    package init(of folder: String) throws(SpoolError) {
        let mayHaveTables = SpoolFile.exists(in: folder) && !SpoolFile.isBeingCreated(in: folder)
        let database = mayHaveTables ? try Database(SpoolFile.path(in: folder), .readOnly) : nil
        let tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('brokers', 'records')"
        guard let database, try database.number(tables) == 2 else {
            (groups, bytes) = ([], 0)
            return
        }
        let rows = try database.prepare(
            """
            SELECT name, topic, COUNT(*), MIN(time) FROM records JOIN brokers USING (broker)
            GROUP BY broker, topic ORDER BY name, topic
            """)
        var groups: [Group] = []
        while try rows.step() {
            groups.append(
                Group(
                    broker: rows.text(at: 0), topic: rows.text(at: 1), count: Int(rows.number(at: 2)),
                    oldest: Timestamp(possible: rows.number(at: 3))))
        }
        self.groups = groups
        bytes = Int(try database.number("PRAGMA page_count") ?? 0) * RecordTable.pageSize
    }
}
