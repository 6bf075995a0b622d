/// The topics on which the broker does not accept messages that have a fallback on another topic.
///
/// A broker may close the connection for each denied message (mosquitto 2.0.11). With many messages on such a topic, the
/// client would be without a connection for hours. The rest of them is therefore replaced by their fallbacks.
struct DeniedTopics {
    /// The number of denied topics from which on every message with a fallback on another topic is replaced.
    private static let limit = 3

    private var topics: Set<Topic> = []

    /// Notes that the broker does not accept a message, if the message has a fallback on another topic.
    mutating func deny(_ entry: Outbox.Entry) {
        if entry.hasOtherTopic { topics.insert(entry.message.topic) }
    }

    /// Forgets the topics: the broker has acknowledged everything that was published on them.
    mutating func forget() {
        topics = []
    }

    /// Returns the entry to send in place of an entry: its fallback, if the broker would not accept its message.
    func replacing(_ entry: Outbox.Entry) -> Outbox.Entry {
        guard !topics.isEmpty, entry.hasOtherTopic, let fallback = entry.sequel?.fallback,
            topics.count >= Self.limit || topics.contains(entry.message.topic)
        else { return entry }
        var entry = entry
        entry.message = fallback
        entry.sequel = nil
        return entry
    }
}

extension Outbox.Entry {
    /// Whether the message has a fallback on another topic.
    fileprivate var hasOtherTopic: Bool { sequel?.fallback.map { $0.topic != message.topic } ?? false }
}
