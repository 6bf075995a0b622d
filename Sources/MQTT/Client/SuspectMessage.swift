import System

/// Finds a message that makes the broker close every connection.
///
/// A broker handles messages in the order in which it receives them. If the broker closes the connection because of a
/// message, this message is the first unacknowledged one. It is called the suspect.
///
/// The next connection sends the suspect alone. After three consecutive connections that ended with the same suspect,
/// the suspect is set aside and other messages are sent. If the broker acknowledges one of them, the message set aside
/// is the cause and is dropped. If that connection ends too, the broker has another problem, and the message returns to
/// the queue.
struct SuspectMessage {
    private struct Suspect {
        let topic: Topic
        /// The number of consecutive connections that ended with this suspect.
        var ends = 1
    }

    /// The number of consecutive connections that ended with the same suspect until the suspect is set aside.
    private static let mostEnds = 3

    private var suspect: Suspect?
    private var setAside: Outbox.Entry?

    /// Whether the next connection sends one message at a time.
    var isSuspecting: Bool { suspect != nil }
    /// Whether a message is set aside until the broker acknowledges another message.
    var hasSetAside: Bool { setAside != nil }

    /// Updates the suspect after a connection has ended.
    ///
    /// - Parameters:
    ///   - unacknowledged: The messages that must be sent again, in the order in which they were sent.
    ///   - duration: How long the connection lasted.
    /// - Returns: The messages that return to the queue.
    mutating func connectionEnded(_ unacknowledged: [Outbox.Entry], after duration: Duration) -> [Outbox.Entry] {
        suspect(unacknowledged.first, duration)
        // The broker has acknowledged no other message either: the message set aside is not the cause.
        let cleared = takeSetAside()
        var returning = unacknowledged
        if suspect?.ends == Self.mostEnds {
            setAside = returning.removeFirst()
            suspect = nil
        }
        return (cleared.map { [$0] } ?? []) + returning
    }

    private mutating func suspect(_ entry: Outbox.Entry?, _ duration: Duration) {
        guard let entry else {
            suspect = nil
            return
        }
        let isAgain = suspect?.topic == entry.message.topic && duration < Reconnection.steady
        suspect = Suspect(topic: entry.message.topic, ends: isAgain ? (suspect?.ends ?? 0) + 1 : 1)
    }

    /// Clears the suspect: the broker has acknowledged a message, or there is no message to acknowledge.
    ///
    /// - Returns: The message set aside, which the broker does not accept; nil if there is none.
    mutating func clear() -> Outbox.Entry? {
        suspect = nil
        return takeSetAside()
    }

    /// Removes and returns the message set aside.
    mutating func takeSetAside() -> Outbox.Entry? {
        defer { setAside = nil }
        return setAside
    }

    /// The reason that is reported for a message that the broker does not accept.
    static func reason(for message: Message) -> String {
        "the broker closes the connection when it receives these \(message.payload.count) bytes: "
            + "check its size limit and its access rules"
    }
}
