/// What the broker sends is small, and not all of it worth a wake-up.
extension Client {
    /// How many bytes must have come before they are read.
    ///
    /// An acknowledgement is four bytes long (MQTT 5, 3.4), and nobody waits for a single one unless messages wait for
    /// their turn: it is read with the next ones, or with a message from the broker, which is longer.
    var awaitedBytes: Int {
        guard case .connected = state, outbox.isEmpty, askedFor.isEmpty, !hasHandshakes, !isClosing else { return 1 }
        return smallestArrival
    }

    static func smallestArrival(_ subscriptions: [TopicFilter: Subscription]) -> Int {
        // Enough for the acknowledgements of a wake-up to cost little.
        var smallest = 64
        for (filter, subscription) in subscriptions {
            guard subscription.qualityOfService != .exactlyOnce else { return 1 }
            smallest = min(smallest, filter.smallestMessage)
        }
        return smallest
    }
}
