import Codec

extension YAMLNode {
    /// The value of a key of this mapping.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// The entries of a mapping, repeated keys reported and left out; nothing counts as an empty mapping.
    ///
    /// - Parameter areNamed: Whether the keys are names that the user chose, of devices or profiles.
    func entries(_ mistakes: Mistakes, areNamed: Bool = false) -> [Entry]? {
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
            let advice =
                if areNamed {
                    "the first is in line \(line), and one of them needs another name"
                } else if case .mapping = entry.value.content {
                    "put what is below it below the first, in line \(line)"
                } else {
                    "the first is in line \(line)"
                }
            mistakes.report(
                "\(entry.key.quotedForMessage) stands here a second time: \(advice)", at: entry.keyPosition)
            return false
        }
    }
}
