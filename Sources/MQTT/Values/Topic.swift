/// The topic of a message (MQTT 5, 4.7).
///
/// A topic is always valid: not empty, at most 65,535 bytes, without wildcards, control characters and noncharacters,
/// which libmosquitto and brokers reject.
package struct Topic: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Throws: `TopicError` for a text that is not a valid topic.
    package init(_ text: String) throws(TopicError) {
        try TopicError.check(text, "topic")
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) else {
            throw TopicError("the topic '\(text)' has a wildcard: + and # are valid in subscriptions only")
        }
        description = text
    }

    /// Creates the topic of a received message without a check: brokers send only valid topics.
    init(received text: String) {
        description = text
    }
}

extension Topic: ExpressibleByStringLiteral {
    /// Creates a topic from a literal; an invalid literal ends the program.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
