import Codec

/// Reads the keys of one mapping, each by its kind, and reports the keys that its table does not know.
package struct MappingReader {
    package let mistakes: Mistakes
    /// Where the mapping begins.
    package let position: Position
    private let section: Section
    private let entries: [String: YAMLNode.Entry]

    /// Nil, and a mistake, when `node` is no mapping.
    package init?(_ node: YAMLNode, _ section: Section, _ mistakes: Mistakes) {
        guard let entries = node.entries(mistakes) else { return nil }
        let names = section.rows.map(\.name)
        for entry in entries where !names.contains(entry.key) {
            mistakes.reportUnknown("key", entry.key, among: names, at: entry.keyPosition)
        }
        self.mistakes = mistakes
        self.position = node.position
        self.section = section
        self.entries = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
        for row in section.rows where row.isRequired && !has(row.name) {
            mistakes.report(
                "the key \(row.name.quotedForMessage) is missing, as in \(row.name): \(row.example)", at: position)
        }
    }

    /// What the key holds, or its default when it is left out, holds nothing, or is wrong.
    package subscript<Value>(_ key: Key<Value>) -> Value {
        guard section.rows.contains(where: { $0.name == key.row.name }), let fallback = key.fallback else {
            preconditionFailure("the key \(key.row.name) is not in the table of \(section.name)")
        }
        guard let entry = entries[key.row.name], !entry.value.isNull else { return fallback }
        return key.kind.read(entry.value, mistakes) ?? fallback
    }

    /// Whether the key is there and holds something.
    package func has<Value>(_ key: Key<Value>) -> Bool {
        has(key.row.name)
    }

    /// Whether the key is there, holds something, and stands in this mapping itself: no profile brought it along.
    package func hasItself<Value>(_ key: Key<Value>) -> Bool {
        has(key) && entries[key.row.name]?.isInherited == false
    }

    /// What stands behind the key; nil where it is left out.
    package func node<Value>(of key: Key<Value>) -> YAMLNode? {
        entries[key.row.name]?.value
    }

    /// Whether no key is there that holds something.
    package var isEmpty: Bool { entries.values.allSatisfy(\.value.isNull) }

    /// Reports what is wrong with a key's value, where that stands.
    package func report<Value>(_ message: String, at key: Key<Value>) {
        mistakes.report(message, at: positions[key.row.name] ?? position)
    }

    /// Reports that a key's value is most likely not what its author means, where that stands.
    package func warn<Value>(_ message: String, at key: Key<Value>) {
        mistakes.warn(message, at: positions[key.row.name] ?? position)
    }

    /// Where the values of the keys stand that are there.
    package var positions: [String: Position] {
        entries.mapValues(\.value.position)
    }

    private func has(_ name: String) -> Bool {
        entries[name].map { !$0.value.isNull } ?? false
    }
}
