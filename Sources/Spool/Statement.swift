import CSQLite

/// A compiled SQL statement with its parameters and its present row.
package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters, numbered from 1

    package func bind(_ number: Int64, at index: Int32) throws(SpoolError) {
        try database.check(sqlite3_bind_int64(handle, index, number))
    }

    package func bind(_ text: String, at index: Int32) throws(SpoolError) {
        try database.check(bluefleet_bind_text(handle, index, text, Int32(text.utf8.count)))
    }

    /// Sets a text, or NULL.
    func bind(_ text: String?, at index: Int32) throws(SpoolError) {
        guard let text else { return try database.check(sqlite3_bind_null(handle, index)) }
        try bind(text, at: index)
    }

    package func bind(_ bytes: [UInt8], at index: Int32) throws(SpoolError) {
        try database.check(bluefleet_bind_blob(handle, index, bytes, Int32(bytes.count)))
    }

    // MARK: Rows

    /// Moves to the next row; returns false if there is none.
    ///
    /// - Throws: `SpoolError`; then the statement is prepared for the next parameters.
    package func step() throws(SpoolError) -> Bool {
        let code = sqlite3_step(handle)
        do throws(SpoolError) {
            try database.check(code)
        } catch {
            // A statement in the middle of its rows accepts no parameters, and keeps its transaction open.
            reset()
            throw error
        }
        return code == SQLITE_ROW
    }

    /// Runs a statement without rows, and prepares it for the next parameters.
    ///
    /// - Throws: `SpoolError`.
    package func run() throws(SpoolError) {
        defer { sqlite3_reset(handle) }
        _ = try step()
    }

    /// Prepares the statement for the next parameters.
    package func reset() {
        sqlite3_reset(handle)
    }

    // MARK: Columns, numbered from 0

    package func number(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optionalNumber(at column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : number(at: column)
    }

    package func text(at column: Int32) -> String {
        sqlite3_column_text(handle, column).map { String(cString: $0) } ?? ""
    }

    func optionalText(at column: Int32) -> String? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(at: column)
    }

    package func bytes(at column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
