extension YAMLNode {
    /// The entries of a mapping, repeated keys reported and left out; nothing counts as an empty mapping.
    func entries(_ mistakes: Mistakes) -> [Entry]? {
        if isNull { return [] }
        guard case .mapping(let entries) = content else {
            mistakes.report("expected a mapping, found \(summary)", at: position)
            return nil
        }
        var first: [String: Position] = [:]
        return entries.filter { entry in
            guard let line = first[entry.key]?.line else {
                first[entry.key] = entry.keyPosition
                return true
            }
            mistakes.report(
                "\(entry.key.quotedForMessage) stands here a second time: the first is in line \(line)",
                at: entry.keyPosition)
            return false
        }
    }
}
