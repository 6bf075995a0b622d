import CSQLite
import Glibc
import System

/// A connection to an SQLite database, used by one thread at a time.
package final class Database {
    package enum Access {
        /// Reads the file without a lock, while another process may write it: see `SpoolContents`.
        case readOnly
        /// Reads and writes, and keeps other processes from opening the file; a missing file is created.
        case readWrite
    }

    package let path: String
    private let handle: OpaquePointer

    /// - Throws: `SpoolError` if the file cannot be opened.
    package init(_ path: String, _ access: Access) throws(SpoolError) {
        // SQLite follows no link with this flag, not even that of a parent folder, which may be one.
        let path = Self.resolved(path)
        self.path = path
        Self.configureLibrary
        try Self.prepare(path, access)
        var handle: OpaquePointer?
        // Each connection has one thread at a time: it needs no lock.
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code =
            switch access {
            case .readOnly:
                sqlite3_open_v2(
                    Self.address(of: path), &handle, flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, "unix-none")
            case .readWrite: sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
            }
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw SpoolError("cannot open \(path)", code)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        // The log of changes belongs to the process that writes.
        if access == .readOnly { bluefleet_disable_checkpoint_on_close(handle) }
        // A person may read the file with another program.
        sqlite3_busy_timeout(handle, 5000)
        // With an exclusive lock, the index of the log is in memory. Otherwise it is in a file that SQLite maps into memory:
        // the kernel would write it to the disk again and again, and end the process (SIGBUS) if there is no space for it.
        try execute("PRAGMA locking_mode = EXCLUSIVE")
    }

    deinit { sqlite3_close_v2(handle) }

    /// Renames the files of a damaged database, so that a new one can take its place: `spool.db.damaged`.
    ///
    /// - Parameter path: The path of the database, which no connection has open.
    /// - Returns: The new path.
    /// - Throws: `SpoolError` if a file cannot be renamed.
    package static func setAside(_ path: String) throws(SpoolError) -> String {
        let damaged = "\(path).damaged"
        for suffix in ["", "-wal"] {
            unlink(damaged + suffix)
            guard rename(path + suffix, damaged + suffix) == 0 || errno == ENOENT else {
                throw SpoolError(.other, SystemError("cannot rename the damaged \(path)", errno).description)
            }
        }
        return damaged
    }

    /// Returns the path with the real path of its folder.
    private static func resolved(_ path: String) -> String {
        guard let folder = realpath(Folder.parent(of: path), nil) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path.split(separator: "/").last ?? "")"
    }

    /// Checks the files of the database, and creates a missing one that only its owner can read.
    private static func prepare(_ path: String, _ access: Access) throws(SpoolError) {
        do throws(SystemError) {
            for suffix in ["", "-wal", "-journal"] { try PrivateFile.check(path + suffix) }
            guard access == .readWrite else { return }
            let file = try PrivateFile.open(path, O_RDWR | O_CREAT, to: "write")
            // Earlier versions created a file that all users could read.
            fchmod(file, 0o600)
            close(file)
        } catch {
            throw SpoolError(error.code == ENOSPC ? .full : .other, error.description)
        }
    }

    /// Returns the address (https://www.sqlite.org/uri.html) of a file to read: a log that does not exist is not created.
    private static func address(of path: String) -> String {
        var address = path.hasPrefix("/") ? "file://" : "file:"
        for character in path {
            switch character {
            case "%": address += "%25"
            case "?": address += "%3F"
            case "#": address += "%23"
            default: address.append(character)
            }
        }
        return access("\(path)-wal", F_OK) == 0 ? address : "\(address)?immutable=1"
    }

    private static let configureLibrary: Void = {
        _ = bluefleet_disable_memory_statistics()
    }()

    /// Runs statements without parameters and results.
    ///
    /// - Throws: `SpoolError`.
    package func execute(_ statements: String) throws(SpoolError) {
        try check(sqlite3_exec(handle, statements, nil, nil, nil))
    }

    /// Compiles a statement.
    ///
    /// - Throws: `SpoolError`.
    package func prepare(_ text: String) throws(SpoolError) -> Statement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { preconditionFailure("an empty SQL statement: \(text)") }
        return Statement(statement, of: self)
    }

    /// Returns the only number of a query; nil if the query has no row, or NULL.
    ///
    /// - Throws: `SpoolError`.
    package func number(_ query: String) throws(SpoolError) -> Int64? {
        let statement = try prepare(query)
        return try statement.step() ? statement.optionalNumber(at: 0) : nil
    }

    /// Calls `body` in a transaction, which is undone if `body` throws.
    ///
    /// - Throws: `SpoolError` of `body` or of the transaction.
    package func transaction(_ body: () throws(SpoolError) -> Void) throws(SpoolError) {
        try execute("BEGIN IMMEDIATE")
        do throws(SpoolError) {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite has already undone the transaction after some failures.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The number of pages that this connection has written.
    var pagesWritten: Int {
        var (current, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }

    /// Throws the failure of a call of SQLite.
    func check(_ code: Int32) throws(SpoolError) {
        guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
        throw SpoolError(path, code, detail: String(cString: sqlite3_errmsg(handle)))
    }
}
