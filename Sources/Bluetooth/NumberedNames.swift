/// Names and their UUIDs, for look-up in both directions.
package struct NumberedNames: Sendable {
    private let uuids: [String: UUID]
    private let names: [UUID: String]

    /// Creates the table from lines that consist of a hexadecimal number, a space and a name.
    init(_ table: String) {
        let rows = table.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let uuid = UUID(words[0]) else {
                preconditionFailure("invalid row in the assigned numbers: \"\(line)\"")
            }
            return (uuid, String(words[1]))
        }
        names = Dictionary(uniqueKeysWithValues: rows)
        uuids = Dictionary(uniqueKeysWithValues: rows.map { ($1, $0) })
    }

    /// The UUID of a name; nil: the name is unknown.
    package subscript(name: some StringProtocol) -> UUID? {
        uuids[String(name)]
    }

    /// The name of a UUID; nil: the UUID is unknown.
    package subscript(uuid: UUID) -> String? {
        names[uuid]
    }

    /// All names in alphabetical order.
    package var all: [String] {
        uuids.keys.sorted()
    }
}
