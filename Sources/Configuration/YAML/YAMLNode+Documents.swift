extension YAMLNode {
    /// Joins the documents of one text, or of several files: a document that follows `---` adds to the earlier documents.
    ///
    /// Mappings and lists under the same key are joined. For any other value, the key remains a duplicate key.
    init(joining documents: [YAMLNode]) throws(YAMLError) {
        let documents = documents.filter { !$0.isNull }
        guard documents.count > 1 else {
            self = documents.first ?? YAMLNode(content: .scalar("", isPlain: true), position: .start)
            return
        }
        var groups: [[Entry]] = []
        var places: [String: Int] = [:]
        for document in documents {
            guard let entries = document.members else {
                throw YAMLError(
                    "expected a mapping in each document, found \(document.summary)", at: document.position)
            }
            var keys: Set<String> = []
            for entry in entries {
                if let place = places[entry.key], keys.insert(entry.key).inserted {
                    groups[place].append(entry)
                } else {
                    // A duplicate key within one document remains a mistake.
                    places[entry.key] = places[entry.key] ?? groups.count
                    keys.insert(entry.key)
                    groups.append([entry])
                }
            }
        }
        self.init(content: .mapping(groups.flatMap(Self.sum)), position: documents[0].position)
    }

    /// Joins entries with the same key if all values are mappings or all values are lists; null values are ignored.
    private static func sum(_ entries: [Entry]) -> [Entry] {
        let filled = entries.filter { !$0.value.isNull }
        guard filled.count > 1 else { return filled.isEmpty ? [entries[0]] : filled }
        let (members, items) = (filled.compactMap(\.value.members), filled.compactMap(\.value.items))
        let content: Content
        if members.count == filled.count {
            content = .mapping(members.flatMap { $0 })
        } else if items.count == filled.count {
            content = .sequence(items.flatMap { $0 })
        } else {
            return filled
        }
        let value = YAMLNode(content: content, position: filled[0].value.position)
        return [Entry(key: filled[0].key, keyPosition: filled[0].keyPosition, value: value)]
    }

    private var members: [Entry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    private var items: [YAMLNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }
}
