extension Client {
    /// What a client tells its owner, on the loop and in the order in which it happens.
    package enum Event: Sendable {
        /// The broker took the client in; subscriptions are on their way.
        ///
        /// `resumed` says that the broker kept the session (`Settings.sessionExpiry`).
        case connected(resumed: Bool)
        /// The broker answered, and did not take the client in.
        case refused(Refusal, retryIn: Duration)
        /// The connection broke, or none came about.
        case disconnected(reason: String, retryIn: Duration)
        case received(Message)
        /// The broker will send what the filter asks for.
        case subscribed(TopicFilter)
        case subscriptionRefused(TopicFilter, reason: String)
        /// The broker takes less than is published, and a thousand messages wait, beside the newest of each state.
        case fellBehind
        /// That is over: what waited has gone, or there is no connection.
        case caughtUp
        /// The message cannot be delivered, now or later.
        case undeliverable(Message, reason: String)
    }
}
