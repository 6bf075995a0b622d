/// A table of names, such as those of topics; a record contains only the number of a name.
struct NameTable {
    private let database: Database
    private let name: String
    private var numbers: [String: Int64] = [:]
    private var names: [Int64: String] = [:]

    /// - Parameters:
    ///   - database: a connection.
    ///   - name: the name of the table.
    init(_ database: Database, _ name: String) {
        (self.database, self.name) = (database, name)
    }

    /// Creates the table.
    ///
    /// - Throws: `SpoolError`.
    func create() throws(SpoolError) {
        try database.execute("CREATE TABLE \(name)(number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }

    /// Reads the names.
    ///
    /// - Throws: `SpoolError`; then the names up to the damaged one are known.
    mutating func load() throws(SpoolError) {
        (numbers, names) = ([:], [:])
        // A file of version 2 has another name for the first column.
        let rows = try database.prepare("SELECT rowid, name FROM \(name)")
        while try rows.step() { add(rows.text(at: 1), rows.number(at: 0)) }
    }

    private mutating func add(_ name: String, _ number: Int64) {
        (numbers[name], names[number]) = (number, name)
    }

    /// Returns the number of a name; adds a new name.
    ///
    /// - Throws: `SpoolError`.
    mutating func number(of name: String) throws(SpoolError) -> Int64 {
        if let number = numbers[name] { return number }
        let statement = try database.prepare("INSERT INTO \(self.name)(name) VALUES(?) RETURNING number")
        try statement.bind(name, at: 1)
        var number: Int64 = 0
        while try statement.step() { number = statement.number(at: 0) }
        add(name, number)
        return number
    }

    /// Returns the number of a name; nil if no record has had it.
    func knownNumber(of name: String) -> Int64? { numbers[name] }

    /// Returns the numbers of the names that fulfill a condition.
    func numbers(where condition: (String) -> Bool) -> [Int64] {
        names.filter { condition($0.value) }.map(\.key)
    }

    /// Returns the name with a number; nil if there is none.
    func name(of number: Int64) -> String? { names[number] }

    /// Removes all names, when there are no records.
    ///
    /// - Throws: `SpoolError`.
    mutating func removeAll() throws(SpoolError) {
        try database.execute("DELETE FROM \(name)")
        (numbers, names) = ([:], [:])
    }
}
