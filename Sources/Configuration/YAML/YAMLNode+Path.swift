extension YAMLNode {
    /// Returns the keys and list indices that lead to the value at a position; nil if no value starts there.
    ///
    /// The result is unambiguous only for mappings in braces: a mapping without braces starts at its first key.
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
                // A message about a key already contains the name of the key.
                if entry.keyPosition == position { return [] }
                if let path = entry.value.path(to: position) { return [entry.key] + path }
            }
        }
        return nil
    }
}
