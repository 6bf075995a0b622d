/// The subscriptions of a client, and its requests that the broker has not answered.
///
/// The client requests the wanted subscriptions again with each connection.
final class Subscriptions {
    /// The wanted subscriptions, by filter.
    private(set) var wanted: [TopicFilter: Subscription] = [:]
    /// The unanswered SUBSCRIBE requests, by packet identifier.
    private var requests: [Int32: TopicFilter] = [:]
    /// The unanswered UNSUBSCRIBE requests, by packet identifier.
    private var cancellations: Set<Int32> = []
    /// The length in bytes of the shortest PUBLISH that a subscription, present or past, can match.
    private(set) var shortestMessage = longestShortestMessage

    /// The value of `shortestMessage` without any subscription: one wake-up then reads 16 acknowledgements.
    private static let longestShortestMessage = 64

    var hasUnansweredRequests: Bool { !requests.isEmpty }
    var hasUnansweredCancellations: Bool { !cancellations.isEmpty }

    func add(_ filter: TopicFilter, _ subscription: Subscription) {
        wanted[filter] = subscription
        // The exchange for quality of service 2 needs a response to each packet.
        let length = subscription.qualityOfService == .exactlyOnce ? 1 : filter.smallestMessage
        shortestMessage = min(shortestMessage, length)
    }

    /// Removes a subscription; returns false if there is none with this filter.
    func remove(_ filter: TopicFilter) -> Bool {
        wanted.removeValue(forKey: filter) != nil
    }

    /// Removes all subscriptions and returns their filters.
    func removeAll() -> [TopicFilter] {
        defer { wanted = [:] }
        return Array(wanted.keys)
    }

    func requested(_ filter: TopicFilter, as identifier: Int32) {
        requests[identifier] = filter
    }

    func cancelled(as identifier: Int32) {
        cancellations.insert(identifier)
    }

    /// Returns the filter of an answered SUBSCRIBE; nil if the subscription is no longer wanted.
    func answered(_ identifier: Int32) -> TopicFilter? {
        guard let filter = requests.removeValue(forKey: identifier), wanted[filter] != nil else { return nil }
        return filter
    }

    func cancellationAnswered(_ identifier: Int32) {
        cancellations.remove(identifier)
    }

    /// Drops the unanswered requests after the end of the connection.
    func connectionEnded() {
        requests.removeAll()
        cancellations.removeAll()
    }
}
