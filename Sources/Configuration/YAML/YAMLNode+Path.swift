extension YAMLNode {
    /// The keys and places in lists that lead to the value at a position; nil where none begins there.
    ///
    /// To be unambiguous, mappings must stand in braces: without them one begins where its first key does.
    func path(to position: Position) -> [String]? {
        if self.position == position { return [] }
        switch content {
        case .scalar: return nil
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                if let path = item.path(to: position) { return ["\(index)"] + path }
            }
        case .mapping(let entries):
            for entry in entries {
                // What is said of a key itself names it.
                if entry.keyPosition == position { return [] }
                if let path = entry.value.path(to: position) { return [entry.key] + path }
            }
        }
        return nil
    }
}
