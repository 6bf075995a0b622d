extension Client {
    /// An event that the handler receives, on the loop and in the order of occurrence.
    package enum Event: Sendable {
        /// The broker accepted the connection; the subscriptions are being requested.
        ///
        /// `resumed`: the broker kept the session (`Settings.sessionExpiry`).
        case connected(resumed: Bool, BrokerLimits)
        /// The broker rejected the connection.
        case refused(Refusal, retryIn: Duration)
        /// The connection ended, or an attempt failed.
        case disconnected(reason: String, cause: EndCause = .other, retryIn: Duration)
        case received(Message)
        /// A message of the broker has more than 1 MiB: it is received in part, or, with TLS, not at all.
        ///
        /// Reported once per connection.
        case cut(length: Int)
        /// The broker accepted a subscription.
        case subscribed(TopicFilter)
        /// The broker rejected a subscription; `isTemporary`: the client requests it again.
        case subscriptionRefused(TopicFilter, reason: String, isTemporary: Bool)
        /// The broker has rejected a topic three times in a row for the moment: its messages are sent again with back-off.
        case postponed(Topic, reason: String)
        /// The cluster has not delivered a message to all receivers, which counts as accepted: a node might not run.
        ///
        /// Reported once per connection.
        case partlyDelivered(reason: String)
        /// The broker closes the connection because of a topic or a filter: it is held back, and tried again later.
        case accessRefused(Access, retryIn: Duration)
        /// The broker accepts a topic or a filter again: one of `accessRefused` or `postponed`.
        case accessGranted(Access)
        /// Messages are published faster than the broker accepts them: 1,000 are queued, without the newest of each
        /// state.
        case fellBehind
        /// The queue has shrunk to 500 messages, without the newest of each state, or the connection has ended.
        case caughtUp
        /// The message was dropped: the broker does not accept it; `isTemporary`: it may accept other ones on the topic.
        case undeliverable(Message, reason: String, isTemporary: Bool)
        /// Messages that must be kept (`QueuePolicy.isKept`) have waited for `Settings.keepAfter`, or do not fit into the
        /// queue: the owner stores them.
        case kept([KeptMessage])
        /// Copies of messages that must be kept, while the broker does not accept them: the owner stores them where an end
        /// of the process does not lose them. The client still has the messages, and hands them over later.
        case copied([KeptMessage])
        /// All messages of `copied` were accepted or handed over.
        case copiesEnded
        /// The broker has accepted a message that was handed over with `isWaiting`, or will never accept it.
        case settled(place: Int)
    }
}
