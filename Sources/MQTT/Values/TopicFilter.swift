/// What a subscription asks for: a topic, where `+` stands for any one level and `#`, at the end, for all that follow.
package struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Throws: `TopicError` for what no broker would take.
    package init(_ text: String) throws(TopicError) {
        try TopicError.check(text, "filter")
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.count > 1 || index < levels.count - 1 {
            let hasPlus = level.count > 1 && level.contains(UInt8(ascii: "+"))
            if hasPlus || level.contains(UInt8(ascii: "#")) {
                throw TopicError(
                    "the filter '\(text)' has a wildcard that is not a level of its own, or # not at its end")
            }
        }
        description = text
    }

    /// Exactly one topic.
    package init(_ topic: Topic) {
        description = topic.description
    }

    /// Whether messages of this topic are asked for.
    ///
    /// Topics that begin with `$` are only matched by filters that begin with it (MQTT 5, 4.7.2).
    package func matches(_ topic: Topic) -> Bool {
        let levels = Self.levels(topic.description)
        let wanted = Self.levels(description)
        if description.utf8.first != UInt8(ascii: "$"), topic.description.utf8.first == UInt8(ascii: "$") {
            return false
        }
        for (index, level) in wanted.enumerated() {
            if level.elementsEqual("#".utf8) { return true }
            guard index < levels.count else { return false }
            guard level.elementsEqual("+".utf8) || level.elementsEqual(levels[index]) else { return false }
        }
        return wanted.count == levels.count
    }

    /// The length in bytes of the shortest PUBLISH that can come of it: without payload, and with a topic whose levels are
    /// empty for each `+` and absent for `/#` (MQTT 3.1.1, 4.7.1).
    ///
    /// Source: MQTT 3.1.1, 3.3: two bytes, two for the topic's length, and the topic.
    var smallestMessage: Int {
        var levels = Self.levels(description)[...]
        // `$share/NAME/` stands before a filter, and not in a topic (MQTT 5, 4.8.2).
        if levels.first?.elementsEqual("$share".utf8) == true { levels = levels.dropFirst(2) }
        if levels.last?.elementsEqual("#".utf8) == true { levels.removeLast() }
        let names = levels.reduce(0) { $0 + ($1.elementsEqual("+".utf8) ? 0 : $1.count) }
        return 4 + names + max(levels.count - 1, 0)
    }

    private static func levels(_ text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }
}

extension TopicFilter: ExpressibleByStringLiteral {
    /// A filter that this program spells out itself.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
