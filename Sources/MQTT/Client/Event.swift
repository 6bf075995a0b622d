extension Client {
    /// An event that the handler receives, on the loop and in the order of occurrence.
    package enum Event: Sendable {
        /// The broker accepted the connection; the subscriptions are being requested.
        ///
        /// `resumed`: the broker kept the session (`Settings.sessionExpiry`).
        case connected(resumed: Bool)
        /// The broker rejected the connection.
        case refused(Refusal, retryIn: Duration)
        /// The connection ended, or an attempt failed.
        case disconnected(reason: String, retryIn: Duration)
        case received(Message)
        /// A message of the broker has more than 1 MiB: it is received in part, or, with TLS, not at all.
        ///
        /// Reported once per connection.
        case cut(length: Int)
        /// The broker accepted a subscription.
        case subscribed(TopicFilter)
        case subscriptionRefused(TopicFilter, reason: String)
        /// Messages are published faster than the broker accepts them: 1,000 are queued, without the newest of each
        /// state.
        case fellBehind
        /// The queue has shrunk to 500 messages, without the newest of each state, or the connection has ended.
        case caughtUp
        /// The message was dropped: the broker does not accept it.
        case undeliverable(Message, reason: String)
        /// Messages that must be kept (`QueuePolicy.isKept`) have waited for `Settings.keepAfter`, or do not fit into the
        /// queue: the owner stores them.
        case kept([KeptMessage])
        /// The broker has accepted a message that was handed over with `isWaiting`, or will never accept it.
        case settled(place: Int)
    }
}
