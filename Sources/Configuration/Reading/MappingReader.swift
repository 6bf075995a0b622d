import Codec

/// Reads the values of one mapping's keys, and reports keys that are not in the table of the section.
package struct MappingReader {
    package let mistakes: Mistakes
    /// The position of the mapping.
    package let position: Position
    private let section: Section
    private let entries: [String: YAMLNode.Entry]

    /// Creates a reader for a mapping, and reports its unknown and missing keys.
    ///
    /// If `node` is not a mapping, reports a mistake and returns nil.
    package init?(_ node: YAMLNode, _ section: Section, _ mistakes: Mistakes) {
        let names = section.rows.map(\.name)
        let form = "a mapping such as \(section.sample)"
        guard let entries = node.entries(mistakes, expecting: form, keys: names) else { return nil }
        var misspelled: Set<String> = []
        for (index, entry) in entries.enumerated() where !names.contains(entry.key) && !entry.key.hasPrefix("x-") {
            if mistakes.isFull { break }
            guard mistakes.admitUnknownKey(at: entry.keyPosition) else { continue }
            if index > 0, let (text, number) = Self.decimal(entries[index - 1], entry) {
                let key = entries[index - 1].key
                mistakes.report(
                    "\(key): \"\(text)\" is a list here: use a decimal point: \(number)", at: entry.keyPosition)
            } else if entry.value.isNull, let colon = entry.key.firstIndex(of: ":"),
                names.contains(String(entry.key[..<colon]))
            {
                let name = entry.key[..<colon]
                misspelled.insert(String(name))
                mistakes.report(
                    "expected a space after the ':': \(name): \(entry.key[colon...].dropFirst())", at: entry.keyPosition
                )
            } else if let advice = section.advice(about: entry.key) ?? section.place(of: entry) {
                mistakes.report("unknown key \(entry.key.quotedForMessage): \(advice)", at: entry.keyPosition)
            } else {
                mistakes.reportUnknown("key", entry.key, among: names, at: entry.keyPosition)
            }
            let nearest = entry.key.nearest(in: names)
            misspelled.formUnion(
                names.filter { name in
                    nearest == name
                        || section.advice(about: entry.key)?.split(separator: " ").contains("\(name):") ?? false
                })
        }
        self.mistakes = mistakes
        self.position = node.position
        self.section = section
        self.entries = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
        // The message about a misspelled key contains its name already.
        for row in section.rows where row.isRequired && !has(row.name) && !misspelled.contains(row.name) {
            mistakes.report(
                "the key \(row.name.quotedForMessage) is missing: add it, e.g. \(row.name): \(row.example)",
                at: position)
        }
    }

    /// Returns `0,1` and `0.1` for `{scale: 0,1}`, which YAML reads as the keys `scale` and `1`; nil for other entries.
    private static func decimal(
        _ entry: YAMLNode.Entry, _ next: YAMLNode.Entry
    ) -> (text: String, number: String)? {
        guard next.value.isNull, UInt(next.key) != nil, case .scalar(let whole, isPlain: true) = entry.value.content,
            Int(whole) != nil, entry.value.position.line == next.keyPosition.line,
            entry.value.position.column + whole.count + 1 == next.keyPosition.column
        else { return nil }
        return ("\(whole),\(next.key)", "\(whole).\(next.key)")
    }

    /// The value of a key, or its default if the key is missing, empty or invalid.
    package subscript<Value>(_ key: Key<Value>) -> Value {
        guard section.rows.contains(where: { $0.name == key.row.name }), let fallback = key.fallback else {
            preconditionFailure("the key \(key.row.name) is not in the table of \(section.name)")
        }
        guard let entry = entries[key.row.name], !entry.value.isNull else { return fallback }
        return key.kind.read(entry.value, mistakes) ?? fallback
    }

    /// Returns whether the key is present and not empty.
    package func has<Value>(_ key: Key<Value>) -> Bool {
        has(key.row.name)
    }

    /// Returns whether the key is present, not empty, and not inherited from a profile.
    package func hasOwn<Value>(_ key: Key<Value>) -> Bool {
        has(key) && entries[key.row.name]?.isInherited == false
    }

    /// Returns the node of a value; nil if the key is missing.
    package func node<Value>(of key: Key<Value>) -> YAMLNode? {
        entries[key.row.name]?.value
    }

    /// Whether there are keys that are not in the table, which were reported.
    package var hasUnknownKeys: Bool {
        entries.keys.contains { key in !key.hasPrefix("x-") && !section.rows.contains { $0.name == key } }
    }

    /// Whether all keys are missing or empty.
    package var isEmpty: Bool { entries.values.allSatisfy(\.value.isNull) }

    /// Reports a mistake at the value of a key.
    package func report<Value>(_ message: String, at key: Key<Value>) {
        mistakes.report(message, at: positions[key.row.name] ?? position)
    }

    /// Reports a warning at the value of a key.
    package func warn<Value>(_ message: String, at key: Key<Value>) {
        mistakes.warn(message, at: positions[key.row.name] ?? position)
    }

    /// The positions of the values, by key.
    package var positions: [String: Position] {
        entries.mapValues(\.value.position)
    }

    private func has(_ name: String) -> Bool {
        entries[name].map { !$0.value.isNull } ?? false
    }
}
