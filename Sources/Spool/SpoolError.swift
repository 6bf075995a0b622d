import CSQLite

/// A failure of the file in which messages wait for the broker.
package struct SpoolError: Error, CustomStringConvertible {
    /// The kind of a failure, which decides what the caller does.
    package enum Kind: Sendable {
        /// The file is not a database, or is damaged.
        case damaged
        /// The disk or the allowed size has no room.
        case full
        /// Another failure, e.g. of permissions or of the disk.
        case other
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// - Parameters:
    ///   - action: The failed action with the path of the file, e.g. `cannot open /var/lib/bluefleet/spool/spool.db`.
    ///   - code: The result code of SQLite.
    ///   - detail: SQLite's description; nil: the general description of the code.
    init(_ action: String, _ code: Int32, detail: String? = nil) {
        kind =
            switch code & 0xFF {
            // The header of the file claims a version that SQLite only reads; or another user owns the file, in a folder
            // of this user.
            case SQLITE_READONLY where code == SQLITE_READONLY: .damaged
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            // The statements of this room fit every intact file.
            case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_FORMAT: .damaged
            case SQLITE_FULL: .full
            default: .other
            }
        description = "\(action): \(detail ?? String(cString: sqlite3_errstr(code)))"
    }
}
