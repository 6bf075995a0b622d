/// The subscriptions of a client, and its requests that the broker has not answered.
///
/// The client requests the wanted subscriptions again with each connection.
final class Subscriptions {
    /// The wanted subscriptions, by filter.
    private(set) var wanted: [TopicFilter: Subscription] = [:]
    /// The unanswered SUBSCRIBE requests, by packet identifier.
    private var requests: [Int32: TopicFilter] = [:]
    /// The filters that were requested in the present connection.
    private var requested: Set<TopicFilter> = []
    /// Whether the broker has answered a SUBSCRIBE in the present connection.
    private(set) var hasAnswers = false
    /// The unanswered UNSUBSCRIBE requests, by packet identifier.
    private var cancellations: Set<Int32> = []
    /// The length in bytes of the shortest PUBLISH that a subscription, present or past, can match.
    private(set) var shortestMessage = longestShortestMessage

    /// The value of `shortestMessage` without any subscription: one wake-up then reads 16 acknowledgements.
    private static let longestShortestMessage = 64

    var hasUnansweredRequests: Bool { !requests.isEmpty }
    /// The filters of the unanswered SUBSCRIBE requests, in the order of the requests.
    var unanswered: [TopicFilter] { requests.sorted { $0.key < $1.key }.map(\.value) }
    /// The wanted filters that were not requested in the present connection, in alphabetical order.
    var unrequested: [TopicFilter] {
        wanted.keys.filter { !requested.contains($0) }.sorted { $0.description < $1.description }
    }
    var hasUnansweredCancellations: Bool { !cancellations.isEmpty }

    func add(_ filter: TopicFilter, _ subscription: Subscription) {
        wanted[filter] = subscription
        // The exchange for quality of service 2 needs a response to each packet.
        let length = subscription.qualityOfService == .exactlyOnce ? 1 : filter.smallestMessage
        shortestMessage = min(shortestMessage, length)
    }

    /// Removes a subscription; returns false if there is none with this filter.
    func remove(_ filter: TopicFilter) -> Bool {
        requested.remove(filter)
        return wanted.removeValue(forKey: filter) != nil
    }

    /// Removes all subscriptions and returns their filters.
    func removeAll() -> [TopicFilter] {
        defer { wanted = [:] }
        return Array(wanted.keys)
    }

    func requested(_ filter: TopicFilter, as identifier: Int32) {
        requests[identifier] = filter
        requested.insert(filter)
    }

    func cancelled(as identifier: Int32) {
        cancellations.insert(identifier)
    }

    /// Returns the filter of an answered SUBSCRIBE; nil for an unknown packet identifier.
    func answered(_ identifier: Int32) -> TopicFilter? {
        hasAnswers = true
        return requests.removeValue(forKey: identifier)
    }

    func cancellationAnswered(_ identifier: Int32) {
        cancellations.remove(identifier)
    }

    /// Drops the unanswered requests after the end of the connection.
    func connectionEnded() {
        requests.removeAll()
        requested.removeAll()
        hasAnswers = false
        cancellations.removeAll()
    }
}
