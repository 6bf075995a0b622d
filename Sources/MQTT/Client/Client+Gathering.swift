/// What the broker sends is small, and not all of it worth a wake-up.
extension Client {
    /// How many bytes must have come before they are read.
    ///
    /// An acknowledgement is four bytes long, and nobody waits for a single one as long as more messages may be on their
    /// way: it is read with the next ones, or with a message from the broker, which is longer. A window that is full is
    /// acknowledged in the end, whatever else comes.
    var awaitedBytes: Int {
        guard case .connected = state, askedFor.isEmpty, !hasHandshakes, !isClosing else { return 1 }
        return min(smallestArrival, Self.acknowledgement * window)
    }

    /// The length of a PUBACK in bytes (MQTT 5, 3.4; MQTT 3.1.1, 3.4).
    private static let acknowledgement = 4

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
