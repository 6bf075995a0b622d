import Codec

extension YAMLNode {
    /// The value of a key of this mapping; nil if the key is missing or the node is not a mapping.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// Returns the entries of a mapping.
    ///
    /// Duplicate keys are reported and omitted. Null is read as an empty mapping.
    ///
    /// - Parameters:
    ///   - mistakes: Collects the mistakes.
    ///   - expectation: The expected mapping, for the message about another node.
    ///   - areNamed: Whether the keys are names that the user chose, e.g. of devices or profiles.
    ///   - keys: The keys of the expected mapping, for advice.
    /// - Returns: The entries; nil, after reporting a mistake, if the node is not a mapping.
    func entries(_ mistakes: Mistakes, expecting expectation: String, areNamed: Bool = false, keys: [String] = [])
        -> [Entry]?
    {
        if isNull { return [] }
        guard case .mapping(let entries) = content else {
            var advice = (spaceAdvice ?? separatedEntry(keys).map { "write \($0)" }).map { ": \($0)" } ?? ""
            if areNamed, case .sequence = content {
                advice = ": remove the \"-\" or the brackets, and use the name as the key"
            }
            mistakes.report("expected \(expectation), found \(summary)\(advice)", at: position)
            return nil
        }
        var first: [String: Position] = [:]
        return entries.filter { entry in
            guard let position = first[entry.key] else {
                first[entry.key] = entry.keyPosition
                return true
            }
            let place = mistakes.place(position, seenFrom: entry.keyPosition)
            var advice =
                if areNamed {
                    "the first is in \(place); rename one of them"
                } else if case .mapping = entry.value.content {
                    "move its contents to the first, in \(place)"
                } else {
                    "the first is in \(place); remove one of them"
                }
            if position.file != entry.keyPosition.file {
                advice += "; or write override: true into \(mistakes.file(of: entry.keyPosition))"
            }
            mistakes.report("duplicate key \(entry.key.quotedForMessage): \(advice)", at: entry.keyPosition)
            return false
        }
    }

    /// Returns `KEY: VALUE` for a text such as `KEY:VALUE`, `KEY VALUE` or `KEY = VALUE` with one of the keys; nil for
    /// any other node.
    private func separatedEntry(_ keys: [String]) -> String? {
        guard case .scalar(let text, isPlain: true) = content else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":", maxSplits: 1) }
        if words.count > 1, words.allSatisfy({ $0.count == 2 && keys.contains(String($0[0])) }) {
            let pairs = words.map { "\($0[0]): \($0[1])" }.joined(separator: ", ")
            return "a space after each colon, and each key on a line of its own: \(pairs)"
        }
        let key = text.prefix { $0 != ":" && !$0.isWhitespace }
        let value = text.dropFirst(key.count).drop { $0 == ":" || $0 == "=" || $0.isWhitespace }
        return keys.contains(String(key)) && !value.isEmpty ? "\(key): \(value)" : nil
    }
}
