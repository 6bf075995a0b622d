import Dashboard
import EventLoop
import Glibc
import Spool
import System

/// The file of the history: `history.db` in the state folder.
///
/// The actor runs on a thread of its own, because a worn memory card takes seconds for a transaction. A damaged file is
/// renamed to `history.db.damaged`.
@safe actor HistoryFile {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    private let executor = BackgroundExecutor()
    private let folder: String
    private var database: Database?
    /// The reason why the file was replaced; nil: it was not.
    private var damage: String?

    /// The version of the table.
    private static let version: Int64 = 1

    init(in folder: String) {
        self.folder = folder
        unsafe unownedExecutor = executor.asUnownedSerialExecutor()
    }

    private var path: String { "\(folder)/history.db" }

    /// The place of a row in the order of the file.
    struct Place: Sendable {
        let device: String
        let reading: String
        let hour: Int64
    }

    /// Returns the rows after a place, 500 at most; empty: there are no more.
    ///
    /// Damage can change the type of a value. Such a row is ignored: in the order of the file, it comes after each place.
    ///
    /// - Throws: `SpoolError`.
    func rows(after place: Place?) throws(SpoolError) -> [HistoryRow] {
        try withDatabase { database throws(SpoolError) in
            let statement = try database.prepare(
                """
                SELECT device, reading, unit, state, hour, data FROM readings
                WHERE (device, reading, hour) > (?1, ?2, ?3) AND typeof(device) = 'text'
                    AND typeof(reading) = 'text' AND typeof(hour) = 'integer'
                ORDER BY device, reading, hour LIMIT 500
                """)
            try statement.bind(place?.device ?? "", at: 1)
            try statement.bind(place?.reading ?? "", at: 2)
            try statement.bind(place?.hour ?? -1, at: 3)
            var rows: [HistoryRow] = []
            while try statement.step() {
                rows.append(
                    HistoryRow(
                        device: statement.text(at: 0), reading: statement.text(at: 1), unit: statement.text(at: 2),
                        isState: statement.number(at: 3) != 0, hour: statement.number(at: 4),
                        data: statement.bytes(at: 5)))
            }
            return rows
        }
    }

    /// Stores rows, and removes those before an hour.
    ///
    /// - Parameters:
    ///   - rows: The rows, which replace those of the same reading and hour.
    ///   - oldest: The first hour that is kept; nil: all are kept.
    /// - Throws: `SpoolError`; then nothing has changed.
    func store(_ rows: [HistoryRow], removingBefore oldest: Int64?) throws(SpoolError) {
        try withDatabase { database throws(SpoolError) in
            let statement = try database.prepare("INSERT OR REPLACE INTO readings VALUES (?1, ?2, ?5, ?3, ?4, ?6)")
            try database.transaction { () throws(SpoolError) in
                for row in rows {
                    try statement.bind(row.device, at: 1)
                    try statement.bind(row.reading, at: 2)
                    try statement.bind(row.unit, at: 3)
                    try statement.bind(row.isState ? 1 : 0, at: 4)
                    try statement.bind(row.hour, at: 5)
                    try statement.bind(row.data, at: 6)
                    try statement.run()
                }
                if let oldest { try database.execute("DELETE FROM readings WHERE hour < \(oldest)") }
            }
        }
    }

    /// Returns why the file was replaced since the last call; nil: it was not.
    func takeDamage() -> String? {
        defer { damage = nil }
        return damage
    }

    func close() {
        database = nil
    }

    /// Calls `body` with the open file; a new file takes the place of a damaged one.
    private func withDatabase<Result>(
        _ body: (Database) throws(SpoolError) -> Result
    ) throws(SpoolError) -> Result {
        do throws(SpoolError) {
            return try body(open())
        } catch {
            guard error.kind == .damaged else { throw error }
            database = nil
            damage = error.description
            _ = try Database.setAside(path)
            return try body(open())
        }
    }

    private func open() throws(SpoolError) -> Database {
        if let database { return database }
        // If the folder cannot be created, opening the file fails.
        _ = unsafe mkdir(folder, 0o700)
        let database = try Database(path, .readWrite)
        try database.execute("PRAGMA auto_vacuum = FULL")
        try database.execute("PRAGMA journal_mode = WAL")
        try database.execute("PRAGMA synchronous = NORMAL")
        try database.execute("PRAGMA cache_size = -1024")
        let version = try database.number("PRAGMA user_version") ?? 0
        if version == 0 {
            try database.execute(
                """
                CREATE TABLE readings (
                    device TEXT, reading TEXT, hour INTEGER, unit TEXT, state INTEGER, data BLOB,
                    PRIMARY KEY (device, reading, hour)) WITHOUT ROWID;
                PRAGMA user_version = \(Self.version)
                """)
        } else if version != Self.version {
            throw SpoolError(.damaged, "\(path): another version of the program has written this file")
        }
        self.database = database
        return database
    }
}
