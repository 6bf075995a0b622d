import Codec

/// The table of the keys of one kind of mapping.
package struct Section: Sendable {
    /// One line of the table.
    package struct Row: Sendable {
        package let name: String
        /// The name of the kind of the value, e.g.
        ///
        /// `duration`.
        package let kind: String
        package let isRequired: Bool
        /// The default in YAML, as in a file; nil if the key has no default value.
        package let defaultText: String?
        package let example: String
        /// The description for the reference, in one sentence.
        package let meaning: String
        /// The table of the key's value, if the value is a mapping or contains mappings.
        package let section: Section?
        /// Reports the mistakes in a value of the key.
        package let check: @Sendable (YAMLNode, Mistakes) -> Void

        init<Value>(
            _ name: String, _ kind: Kind<Value>, isRequired: Bool = false, default defaultText: String? = nil,
            example: String, _ meaning: String
        ) {
            self.name = name
            self.kind = kind.name
            self.isRequired = isRequired
            self.defaultText = defaultText
            self.example = example
            self.meaning = meaning
            self.section = kind.section
            self.check = { _ = kind.read($0, $1) }
        }
    }

    package let name: String
    package let rows: [Row]
    /// An example of a mapping with these keys, for messages; nil: one of the required keys or of the first key.
    private let example: String?
    /// The advice about keys that do not exist here but in other programs, by `plain` key.
    private let advice: [String: String]

    package init(_ name: String, rows: [Row], example: String? = nil, advice: [String: String] = [:]) {
        assert(!rows.contains { advice[$0.name] != nil }, "\(name): advice about a key that exists is never shown")
        self.name = name
        self.rows = rows
        self.example = example
        self.advice = Dictionary(advice.map { (Self.plain($0), $1) }) { first, _ in first }
    }

    /// Returns the advice about a key of other programs; nil if there is none.
    func advice(about key: String) -> String? {
        guard key.isShort else { return nil }
        if let advice = advice[Self.plain(key)] { return advice }
        let same = rows.first { Self.plain($0.name) == Self.plain(key) }
        return same.map { "did you mean \($0.name.quotedForMessage)?" } ?? Self.notes[Self.plain(key)]
    }

    /// Returns a key without its case, hyphens and underscores: programs write `byteOrder`, `byte-order` or `byte_order`.
    private static func plain(_ key: String) -> String {
        key.lowercased().filter { !"-_ ".contains($0) }
    }

    /// The advice about keys for people only, which each section has.
    private static let notes = Dictionary(
        uniqueKeysWithValues: ["comment", "comments", "note", "notes", "remark", "todo", "tags", "group"].map {
            ($0, "a key that begins with x- is ignored: write x-\($0)")
        })

    package init<each Value>(
        _ name: String, _ keys: repeat Key<each Value>, example: String? = nil, advice: [String: String] = [:]
    ) {
        var rows: [Row] = []
        for key in repeat each keys { rows.append(key.row) }
        self.init(name, rows: rows, example: example, advice: advice)
    }

    /// Returns advice about an entry that belongs one level deeper; nil for any other entry.
    func place(of entry: YAMLNode.Entry) -> String? {
        // `profile: {climate: …}` is the section; `profile: climate` belongs into a device.
        let plural = "\(entry.key)s"
        if !entry.value.isScalar, rows.contains(where: { $0.name == plural }) { return "did you mean '\(plural)'?" }
        let owners = rows.filter { row in row.section?.rows.contains { $0.name == entry.key } ?? false }.map(\.name)
        if !owners.isEmpty { return "it belongs into \(owners.joined(separator: " or "))" }
        // A device that is not indented has the key `address`, which only the devices require.
        let owner = rows.first { row in
            let required = row.section?.rows.filter(\.isRequired).map(\.name) ?? []
            return row.kind.hasPrefix("mapping of names") && !required.isEmpty
                && required.allSatisfy { entry.value[$0] != nil }
        }
        return owner.map { "indent it and its keys below \($0.name):" }
    }

    /// A short mapping with some of these keys: `{address: C0:00:00:00:00:01}`.
    var sample: String {
        if let example { return example }
        let required = rows.filter(\.isRequired)
        let entries = (required.isEmpty ? rows.prefix(1) : required[...]).map { "\($0.name): \($0.example)" }
        return "{\(entries.joined(separator: ", "))}"
    }
}
