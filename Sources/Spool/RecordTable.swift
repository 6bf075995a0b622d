import System

/// The tables of an open database: the records in order, their brokers and topics, and the starts of the machine.
final class RecordTable {
    /// The number in the header of the file that identifies its program (`PRAGMA application_id`): "BlFl".
    private static let application = 0x426C_466C
    /// The version of the tables (`PRAGMA user_version`).
    ///
    /// In version 2, each record had its topic and its time as text. In version 3, no record had a stamp.
    static let version: Int64 = 4
    /// The version that is changed to the present one when the file is opened.
    private static let formerVersion: Int64 = 3
    /// A larger number is damaged: JSON numbers are exact up to 2 to the power of 53.
    static let greatestID: Int64 = 1 << 53
    /// A time is corrected if the clock was wrong by more than this, in milliseconds.
    private static let tolerance: Int64 = 1000

    let database: Database
    /// The size in bytes of the records of one transaction.
    let transactionSize: Int
    private let insertion: Statement
    private let removal: Statement
    /// The number of the next record.
    private(set) var nextID: Int64
    /// The last number in the table `last`.
    private var storedLastID: Int64 = 0
    /// The number of records of each broker.
    private var counts: [String: Int] = [:]
    private var shares = DeviceShares()
    /// The number after which the oldest record of a device is searched.
    private var starts: [String: Int64] = [:]
    private var brokers: NameTable
    private var topics: NameTable
    private var boots: [String: (number: Int64, offset: Int64, isCertain: Bool)] = [:]

    /// Opens the tables of a file; creates them in a new file.
    ///
    /// - Parameters:
    ///   - database: a connection that can write.
    ///   - transactionSize: the size in bytes of the records of one transaction; larger changes in SQLite's log are
    ///     written to the file.
    ///   - first: the least number of a new record: a damaged file may have lost its last records.
    ///   - now: the present time. A new record has at least the number of microseconds since 1970 when it is added, so
    ///     that numbers rise even if an earlier file was lost, or if messages were sent without the disk.
    /// - Throws: `SpoolError`.
    init(
        _ database: Database, transactionSize: Int, from first: Int64, at now: Timestamp
    ) throws(SpoolError) {
        (self.database, self.transactionSize) = (database, transactionSize)
        (brokers, topics) = (NameTable(database, "brokers"), NameTable(database, "topics"))
        try database.execute(
            """
            PRAGMA page_size = \(Self.pageSize);
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = \(transactionSize / Self.pageSize);
            PRAGMA cache_size = -256; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 524288;
            PRAGMA secure_delete = OFF;
            """)
        let version = try database.number("PRAGMA user_version") ?? 0
        guard version == 0 || Self.isReadable(version) else { throw Self.otherVersion(database) }
        if version == 0 { try Self.create(database, [brokers, topics]) }
        if version == Self.formerVersion { try Self.upgrade(database) }
        insertion = try database.prepare("INSERT OR IGNORE INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        removal = try database.prepare("DELETE FROM records WHERE id = ? RETURNING broker, length(payload), topic")
        nextID = max(first, now.leastRecordID)
        try load()
    }

    /// Creates the tables in one transaction: after a power cut, either all of them or none exist.
    private static func create(_ database: Database, _ names: [NameTable]) throws(SpoolError) {
        try database.transaction { () throws(SpoolError) in
            try database.execute(
                """
                PRAGMA application_id = \(application); PRAGMA user_version = \(version);
                CREATE TABLE boots(boot INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                    offset INTEGER NOT NULL, certain INTEGER NOT NULL, sum INTEGER NOT NULL);
                CREATE TABLE last(id INTEGER NOT NULL);
                CREATE TABLE records(id INTEGER PRIMARY KEY, broker INTEGER NOT NULL,
                    boot INTEGER NOT NULL, moment INTEGER NOT NULL, time INTEGER NOT NULL, bare INTEGER NOT NULL,
                    topic INTEGER NOT NULL, payload BLOB NOT NULL, sum INTEGER NOT NULL, stamp TEXT);
                """)
            for table in names { try table.create() }
        }
    }

    /// Adds the column `stamp` to the tables of version 3, whose records have none.
    private static func upgrade(_ database: Database) throws(SpoolError) {
        try database.transaction { () throws(SpoolError) in
            try database.execute("ALTER TABLE records ADD COLUMN stamp TEXT; PRAGMA user_version = \(version)")
        }
    }

    /// Whether the records of a file of a version can be read and counted as they are.
    static func isReadable(_ version: Int64) -> Bool { version == Self.version || version == formerVersion }

    /// The failure to use a file that has other tables.
    static func otherVersion(_ database: Database) -> SpoolError {
        SpoolError(.damaged, "\(database.path): another version of the program has written this file")
    }

    /// Reads the names, the starts of the machine, and the numbers of records.
    ///
    /// - Throws: `SpoolError`.
    func load() throws(SpoolError) {
        (self.boots, self.counts, starts) = ([:], [:], [:])
        shares.removeAll()
        try brokers.load()
        try topics.load()
        storedLastID = try database.number("SELECT id FROM last") ?? 0
        let last = max(storedLastID, try database.number("SELECT MAX(id) FROM records") ?? 0)
        guard last < Self.greatestID else { throw changedRecord }
        nextID = max(nextID, last + 1)
        let boots = try database.prepare("SELECT boot, name, offset, certain, sum FROM boots")
        while try boots.step() {
            let (name, offset, isCertain) = (boots.text(at: 1), boots.number(at: 2), boots.number(at: 3) != 0)
            try check(boots.number(at: 4), RowChecksum(ofBoot: name, offset: offset, isCertain: isCertain))
            self.boots[name] = (boots.number(at: 0), offset, isCertain)
        }
        let counts = try database.prepare(
            "SELECT name, COUNT(*) FROM records JOIN brokers ON broker = number GROUP BY broker")
        while try counts.step() { self.counts[counts.text(at: 0)] = Int(counts.number(at: 1)) }
        let sizes = try database.prepare("SELECT topic, COUNT(*), SUM(length(payload)) FROM records GROUP BY topic")
        while try sizes.step() {
            guard let topic = topics.name(of: sizes.number(at: 0)) else { continue }
            let count = Int(sizes.number(at: 1))
            shares.add(count, bytes: Int(sizes.number(at: 2)) + count * SpoolRecord.overhead, of: topic)
        }
    }

    /// Checks the checksum of a row.
    ///
    /// - Throws: `SpoolError` with `damaged`.
    private func check(_ stored: Int64, _ checksum: RowChecksum) throws(SpoolError) {
        guard stored == checksum.value else { throw changedRecord }
    }

    private var changedRecord: SpoolError {
        SpoolError(.damaged, "\(database.path): a record has changed on the disk")
    }

    // MARK: Size

    /// The number of records of all brokers.
    var count: Int { counts.values.reduce(0, +) }

    /// Returns the number of records of a broker after a number; 0: of all its records.
    ///
    /// - Throws: `SpoolError`.
    func count(of broker: String, after id: Int64) throws(SpoolError) -> Int {
        guard id > 0 else { return counts[broker] ?? 0 }
        guard let number = brokers.knownNumber(of: broker) else { return 0 }
        let statement = try database.prepare("SELECT COUNT(*) FROM records WHERE id > ? AND broker = ?")
        try statement.bind(id, at: 1)
        try statement.bind(number, at: 2)
        return try statement.step() ? Int(statement.number(at: 0)) : 0
    }

    /// The size of the part of the file that is in use, in bytes.
    func usedBytes() throws(SpoolError) -> Int {
        let pages = try database.number("PRAGMA page_count") ?? 0
        let free = try database.number("PRAGMA freelist_count") ?? 0
        return Int(pages - free) * Self.pageSize
    }

    /// The size that the file has when SQLite has copied all changes from its log, in bytes.
    func fileBytes() throws(SpoolError) -> Int { Int(try database.number("PRAGMA page_count") ?? 0) * Self.pageSize }

    /// The size of a page in bytes.
    ///
    /// A transaction writes each changed page as a whole. Small pages halve what an outage with a few values per second
    /// writes, in comparison with SQLite's default of 4096 bytes.
    static let pageSize = 1024

    // MARK: Writing

    /// Adds records in one transaction.
    ///
    /// - Parameters:
    ///   - records: the records.
    ///   - least: the least number of the first record.
    ///   - origin: the clock when the records were received.
    ///   - clock: the present clock.
    /// - Returns: The number of the first record; the numbers of the others follow.
    /// - Throws: `SpoolError`; then no record was added.
    func insert(
        _ records: ArraySlice<SpoolRecord>, startingAt least: Int64, from origin: ClockReading, _ clock: ClockReading
    ) throws(SpoolError) -> Int64 {
        let first = max(nextID, least, clock.time.leastRecordID)
        try transaction { () throws(SpoolError) in
            // The clock of an earlier start of the machine may have been set after its last record.
            let isPresent = origin.boot == clock.boot
            let boot: Int64
            if !isPresent, let known = boots[origin.boot] {
                boot = known.number
            } else {
                boot = try number(of: isPresent ? clock : origin)
            }
            for (id, record) in zip(first..., records) { try insert(record, id, boot: boot) }
        }
        nextID = first + Int64(records.count)
        for record in records {
            counts[record.broker, default: 0] += 1
            shares.add(1, bytes: record.payload.count + SpoolRecord.overhead, of: record.topic)
        }
        return first
    }

    /// Adds records of another file with their numbers and times; ignores numbers that exist.
    ///
    /// The caller calls `load()` after the last records.
    ///
    /// - Throws: `SpoolError`; then no record was added.
    func restore(_ records: [StoredRecord], _ clock: ClockReading) throws(SpoolError) {
        // The start of the machine is not known for a damaged record: its time remains as it is.
        let origin = ClockReading(
            boot: "restored", time: clock.time, moment: Instant(nanoseconds: 0), isSynchronized: true)
        try transaction { () throws(SpoolError) in
            let boot = try number(of: origin)
            let offset = boots[origin.boot]?.offset ?? 0
            for stored in records {
                let moment = Instant(milliseconds: stored.record.time.milliseconds &- offset)
                try insert(stored.record.at(moment), stored.id, boot: boot)
                nextID = max(nextID, stored.id + 1)
            }
        }
    }

    /// Calls `body` in a transaction; if it is undone, its new names and starts of the machine are not in the file.
    private func transaction(_ body: () throws(SpoolError) -> Void) throws(SpoolError) {
        let names = (brokers, topics, boots)
        do throws(SpoolError) {
            try database.transaction(body)
        } catch {
            (brokers, topics, boots) = names
            throw error
        }
    }

    private func insert(_ record: SpoolRecord, _ id: Int64, boot: Int64) throws(SpoolError) {
        let broker = try brokers.number(of: record.broker)
        try insertion.bind(id, at: 1)
        try insertion.bind(broker, at: 2)
        try insertion.bind(boot, at: 3)
        try insertion.bind(record.moment.milliseconds, at: 4)
        try insertion.bind(record.time.milliseconds, at: 5)
        try insertion.bind(record.isBare ? 1 : 0, at: 6)
        try insertion.bind(topics.number(of: record.topic), at: 7)
        try insertion.bind(record.payload, at: 8)
        try insertion.bind(RowChecksum(of: record, id: id, broker: broker, boot: boot).value, at: 9)
        try insertion.bind(record.stamp, at: 10)
        try insertion.run()
    }

    /// Returns the number of the clock's start of the machine; stores a new relation to the calendar clock.
    @discardableResult
    func number(of clock: ClockReading) throws(SpoolError) -> Int64 {
        let known = boots[clock.boot]
        if let known, (known.offset &- clock.offset).magnitude <= Self.tolerance,
            known.isCertain || !clock.isSynchronized
        {
            return known.number
        }
        // A clock that was set once is right: only a service sets it.
        let isCertain = clock.isSynchronized || known?.isCertain ?? false
        let statement = try database.prepare(
            """
            INSERT INTO boots(name, offset, certain, sum) VALUES(?, ?, ?, ?)
            ON CONFLICT(name) DO UPDATE SET offset = excluded.offset, certain = excluded.certain, sum = excluded.sum
            RETURNING boot
            """)
        try statement.bind(clock.boot, at: 1)
        try statement.bind(clock.offset, at: 2)
        try statement.bind(isCertain ? 1 : 0, at: 3)
        try statement.bind(RowChecksum(ofBoot: clock.boot, offset: clock.offset, isCertain: isCertain).value, at: 4)
        var number: Int64 = 0
        while try statement.step() { number = statement.number(at: 0) }
        boots[clock.boot] = (number, clock.offset, isCertain)
        return number
    }

    /// Writes to the disk without a change.
    ///
    /// - Throws: `SpoolError` if the disk does not accept it.
    func rewriteHeader() throws(SpoolError) {
        try database.execute("PRAGMA user_version = \(Self.version)")
    }

    // MARK: Reading

    /// Returns records of a broker in the order of their numbers.
    ///
    /// - Parameters:
    ///   - id: the number after which to start.
    ///   - broker: the name of the broker.
    ///   - most: the maximum number of records.
    ///   - boot: the present start of the machine.
    /// - Returns: Up to `most` records.
    /// - Throws: `SpoolError`; `damaged` if the records are not in order, or one of them has changed on the disk.
    func records(after id: Int64, of broker: String, most: Int, boot: String) throws(SpoolError) -> [StoredRecord] {
        guard let number = brokers.knownNumber(of: broker) else { return [] }
        let statement = try database.prepare(
            """
            SELECT id, broker, boot, moment, time, bare, topic, payload, sum, stamp FROM records
            WHERE id > ? AND broker = ? ORDER BY id LIMIT ?
            """)
        try statement.bind(id, at: 1)
        try statement.bind(number, at: 2)
        try statement.bind(Int64(most), at: 3)
        var records: [StoredRecord] = []
        var last = id
        while try statement.step() {
            let record = try record(statement, broker, boot)
            // A reader that continues after the last number would begin again and again.
            guard record.id > last else {
                throw SpoolError(.damaged, "\(database.path): the records are not in order")
            }
            last = record.id
            records.append(record)
        }
        return records
    }

    /// Returns the record of the statement's present row.
    ///
    /// - Throws: `SpoolError` with `damaged` if the row has changed on the disk.
    private func record(_ row: Statement, _ broker: String, _ boot: String) throws(SpoolError) -> StoredRecord {
        guard let topic = topics.name(of: row.number(at: 6)) else {
            throw SpoolError(.damaged, "\(database.path): the topic of a record is missing")
        }
        let (moment, time) = (row.number(at: 3), row.number(at: 4))
        let origin = boots.first { $0.value.number == row.number(at: 2) }
        let record = SpoolRecord(
            broker: broker, topic: topic, payload: row.bytes(at: 7), isBare: row.number(at: 5) != 0,
            time: Timestamp(possible: time), moment: Instant(milliseconds: moment), stamp: row.optionalText(at: 9))
        try check(
            row.number(at: 8),
            RowChecksum(of: record, id: row.number(at: 0), broker: row.number(at: 1), boot: row.number(at: 2)))
        let right = origin.map { $0.value.offset &+ moment } ?? time
        return StoredRecord(
            id: row.number(at: 0), record: record,
            correctedTime: (right &- time).magnitude > Self.tolerance ? Timestamp(possible: right) : nil,
            isTimeUncertain: origin.map { $0.key != boot && !$0.value.isCertain } ?? true,
            isOfPresentStart: origin?.key == boot)
    }

    /// The oldest record of all brokers; nil if there is none.
    func oldest(boot: String) throws(SpoolError) -> StoredRecord? {
        guard let number = try database.number("SELECT broker FROM records ORDER BY id LIMIT 1"),
            let broker = brokers.name(of: number)
        else { return nil }
        return try records(after: 0, of: broker, most: 1, boot: boot).first
    }

    // MARK: Removing

    /// Removes records by their numbers, in transactions of a limited size.
    ///
    /// - Returns: How many existed.
    /// - Throws: `SpoolError`; then the records of earlier transactions are removed.
    @discardableResult
    func remove(_ ids: [Int64]) throws(SpoolError) -> Int {
        var (rest, count) = (ids[...], 0)
        while !rest.isEmpty { count += try removeFirst(of: &rest) }
        return count
    }

    /// Removes the first records in one transaction; returns how many existed.
    private func removeFirst(of ids: inout ArraySlice<Int64>) throws(SpoolError) -> Int {
        var removed: [Int64: Int] = [:]
        var sizes: [(topic: Int64, bytes: Int)] = []
        var (rest, size) = (ids, 0)
        try database.transaction { () throws(SpoolError) in
            // Each removed record is in a changed page: the log of changes grows by about the size of the records.
            while size < 2 * transactionSize, let id = rest.popFirst() {
                try removal.bind(id, at: 1)
                while try removal.step() {
                    removed[removal.number(at: 0), default: 0] += 1
                    let bytes = Int(removal.number(at: 1)) + SpoolRecord.overhead
                    sizes.append((removal.number(at: 2), bytes))
                    size += bytes
                }
                removal.reset()
            }
            try storeLastID()
        }
        storedLastID = nextID - 1
        ids = rest
        for (number, count) in removed {
            guard let name = brokers.name(of: number) else { continue }
            counts[name] = max(0, (counts[name] ?? 0) - count)
        }
        for (topic, bytes) in sizes {
            guard let name = topics.name(of: topic) else { continue }
            shares.add(-1, bytes: -bytes, of: name)
        }
        return removed.values.reduce(0, +)
    }

    /// Stores the last number that was used: the record with this number may be removed.
    private func storeLastID() throws(SpoolError) {
        guard storedLastID != nextID - 1 else { return }
        try database.execute("DELETE FROM last; INSERT INTO last VALUES(\(nextID - 1))")
    }

    /// Removes the records of a broker up to a number.
    ///
    /// - Throws: `SpoolError`; then the records of earlier transactions are removed.
    func remove(through id: Int64, of broker: String) throws(SpoolError) {
        guard let number = brokers.knownNumber(of: broker) else { return }
        while true {
            let statement = try database.prepare(
                "SELECT id FROM records WHERE id <= ? AND broker = ? ORDER BY id LIMIT 1000")
            try statement.bind(id, at: 1)
            try statement.bind(number, at: 2)
            guard try remove(ids(of: statement)) > 0 else { return }
        }
    }

    /// Returns the numbers that a statement selects.
    private func ids(of statement: Statement) throws(SpoolError) -> [Int64] {
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.number(at: 0)) }
        statement.reset()
        return ids
    }

    /// Removes the oldest records of the devices with the most bytes, to make room for other records.
    ///
    /// - Parameter most: the maximum number.
    /// - Returns: How many were removed; 0: there is no record.
    /// - Throws: `SpoolError`; `damaged` if there are records, but none of them can be removed.
    func makeRoom(_ most: Int) throws(SpoolError) -> Int {
        var ids: [Int64] = []
        for (device, count) in shares.contributions(most) { ids += try oldest(count, of: device) }
        let removed = try remove(ids)
        // In a damaged table, the sizes can be wrong.
        return removed > 0 ? removed : try removeOldest(most)
    }

    /// Returns the numbers of the oldest records of a device.
    private func oldest(_ most: Int, of device: String) throws(SpoolError) -> [Int64] {
        let numbers = topics.numbers { DeviceShares.device(of: $0) == device }.map(String.init).joined(separator: ",")
        let statement = try database.prepare(
            "SELECT id FROM records WHERE id > ? AND topic IN (\(numbers)) ORDER BY id LIMIT ?")
        try statement.bind(starts[device] ?? 0, at: 1)
        try statement.bind(Int64(most), at: 2)
        let ids = try ids(of: statement)
        // The records of other devices before this one are not searched again.
        if let first = ids.first { starts[device] = first - 1 }
        return ids
    }

    /// Removes the oldest records of all brokers.
    ///
    /// - Parameter most: the maximum number.
    /// - Returns: How many were removed; 0: there is no record.
    /// - Throws: `SpoolError`; `damaged` if there are records, but none of them can be removed.
    func removeOldest(_ most: Int) throws(SpoolError) -> Int {
        let statement = try database.prepare("SELECT id FROM records ORDER BY id LIMIT ?")
        try statement.bind(Int64(most), at: 1)
        let ids = try ids(of: statement)
        let count = try remove(ids)
        // In a damaged table, a search does not find each record that a walk through the table finds.
        guard count > 0 || ids.isEmpty else {
            throw SpoolError(.damaged, "\(database.path): the oldest records cannot be removed")
        }
        return count
    }

    /// Removes all records, and returns their number; the file becomes small.
    ///
    /// - Throws: `SpoolError`.
    func removeAll() throws(SpoolError) -> Int {
        let count = count
        try database.transaction { () throws(SpoolError) in
            try database.execute("DELETE FROM records")
            try storeLastID()
        }
        storedLastID = nextID - 1
        (counts, starts) = ([:], [:])
        shares.removeAll()
        try shrink()
        return count
    }

    /// Gives the space of an empty table back to the file system.
    ///
    /// - Throws: `SpoolError`.
    func shrink() throws(SpoolError) {
        try topics.removeAll()
        try database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The bytes that were written to the disk since the file was opened.
    var writtenBytes: Int { database.pagesWritten * Self.pageSize }
}
