/// The topic filter of a subscription: `+` matches one level, and `#`, at the end, matches all further levels.
package struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Throws: `TopicError` for a text that is not a valid filter.
    package init(_ text: String) throws(TopicError) {
        try TopicError.check(text, "filter")
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.count > 1 || index < levels.count - 1 {
            let hasPlus = level.count > 1 && level.contains(UInt8(ascii: "+"))
            if hasPlus || level.contains(UInt8(ascii: "#")) {
                throw TopicError(
                    "the filter '\(text)' is not valid: + and # must be whole levels, and # must be the last one")
            }
        }
        description = text
    }

    /// Creates a filter that matches one topic.
    package init(_ topic: Topic) {
        description = topic.description
    }

    /// Returns whether the filter matches a topic.
    ///
    /// A topic that begins with `$` is matched only by a filter that begins with `$` (MQTT 5, 4.7.2).
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

    /// The length in bytes of the shortest PUBLISH that the filter matches.
    ///
    /// This message has no payload. Its topic has an empty level for each `+`, and no level for `/#` (MQTT 3.1.1,
    /// 4.7.1). Source: MQTT 3.1.1, 3.3: a header of two bytes, two bytes for the topic's length, and the topic.
    var smallestMessage: Int {
        var levels = Self.levels(description)[...]
        // `$share/NAME/` precedes the filter of a shared subscription; topics do not have it (MQTT 5, 4.8.2).
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
    /// Creates a filter from a literal; an invalid literal ends the program.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
