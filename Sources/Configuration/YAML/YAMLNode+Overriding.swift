extension YAMLNode {
    /// Returns this node merged with `base`, key by key.
    ///
    /// This node has priority: mappings are merged; any other value replaces the value of `base`.
    ///
    /// - Parameters:
    ///   - base: The node with the other entries.
    ///   - inherits: Whether the entries of `base` count as inherited from a profile.
    /// - Returns: The merged node; the entries keep their positions.
    func overriding(_ base: YAMLNode, inherits: Bool) -> YAMLNode {
        guard case .mapping(let inherited) = base.content else { return self }
        if isNull { return base }
        guard case .mapping(let own) = content else { return self }
        let overridden = inherited.map { entry in
            guard let override = own.first(where: { $0.key == entry.key }) else {
                return Entry(
                    key: entry.key, keyPosition: entry.keyPosition, value: entry.value,
                    isInherited: inherits || entry.isInherited)
            }
            return Entry(
                key: entry.key, keyPosition: override.keyPosition,
                value: override.value.overriding(entry.value, inherits: inherits))
        }
        // A duplicate key of this mapping is kept, so that the duplicate is reported.
        var consumed = Set(inherited.map(\.key))
        let added = own.filter { consumed.remove($0.key) == nil }
        return YAMLNode(content: .mapping(overridden + added), position: position)
    }

    /// Returns the node with another text in the place of each occurrence of a text in its values.
    func replacing(_ text: String, with replacement: String) -> YAMLNode {
        switch content {
        case .scalar(let value, let isPlain):
            let replaced = Self.replacing(text, with: replacement, in: value)
            return YAMLNode(content: .scalar(replaced, isPlain: isPlain), position: position)
        case .sequence(let items):
            return YAMLNode(
                content: .sequence(items.map { $0.replacing(text, with: replacement) }), position: position)
        case .mapping(let entries):
            let replaced = entries.map { entry in
                Entry(
                    key: entry.key, keyPosition: entry.keyPosition,
                    value: entry.value.replacing(text, with: replacement), isInherited: entry.isInherited)
            }
            return YAMLNode(content: .mapping(replaced), position: position)
        }
    }

    private static func replacing(_ text: String, with replacement: String, in value: String) -> String {
        guard value.utf8.count >= text.utf8.count else { return value }
        var result = ""
        var rest = value[...]
        while let first = rest.first {
            if rest.hasPrefix(text) {
                result += replacement
                rest = rest.dropFirst(text.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
