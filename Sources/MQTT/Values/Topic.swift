/// The name under which a message is published (MQTT 5, 4.7).
///
/// A topic that exists can be sent: it is not empty, fits 65,535 bytes, and has no wildcards, no control characters and
/// no noncharacters, which libmosquitto and brokers refuse.
package struct Topic: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Throws: `TopicError` for what no broker would take.
    package init(_ text: String) throws(TopicError) {
        try TopicError.check(text, "topic")
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) else {
            throw TopicError("the topic '\(text)' has a wildcard: + and # belong into subscriptions only")
        }
        description = text
    }

    /// A topic that comes from the broker, and is right therefore.
    init(received text: String) {
        description = text
    }
}

extension Topic: ExpressibleByStringLiteral {
    /// A topic that this program spells out itself.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
