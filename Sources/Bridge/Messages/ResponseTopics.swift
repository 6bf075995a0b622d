import MQTT
import System

/// Decides on which Response Topics of requests (MQTT 5, 4.10) the gateway publishes responses.
///
/// A client chooses the Response Topic, and the gateway publishes with its own rights. Without rules, a client without
/// the right to publish on the topics of requests, states or discovery could make the gateway do so.
struct ResponseTopics {
    /// The maximum length of a Response Topic in bytes.
    private static let longest = 512
    /// The maximum number of levels of a Response Topic; some brokers close the connection at 200.
    private static let mostLevels = 32
    /// The number of topics that the broker has denied, after which none is used for a time.
    ///
    /// Some brokers close the connection for each denied message (mosquitto 2.0.11).
    private static let mostDenied = 3
    /// How long the gateway remembers what the broker has denied.
    private static let memory = Duration.seconds(3600)

    private let prefix: String
    private let gateway: String
    private let discoveryPrefix: String?
    private var denied: Set<Topic> = []
    private var forgetAt: Instant?

    /// - Parameters:
    ///   - prefix: the prefix of all topics of the gateways.
    ///   - gateway: the name of this gateway.
    ///   - discoveryPrefix: the prefix of Home Assistant's discovery; nil without discovery.
    init(prefix: String, gateway: String, discoveryPrefix: String?) {
        self.prefix = prefix
        self.gateway = gateway
        self.discoveryPrefix = discoveryPrefix
    }

    /// Returns whether a response may be published on a Response Topic.
    mutating func mayUse(_ topic: Topic, at now: Instant) -> Bool {
        if let forgetAt, now >= forgetAt {
            denied = []
            self.forgetAt = nil
        }
        return isHarmless(topic) && !denied.contains(topic) && denied.count < Self.mostDenied
    }

    /// Notes that the broker does not accept messages on a topic.
    ///
    /// - Returns: Whether this is news about a topic that only responses use.
    mutating func deny(_ topic: Topic, at now: Instant) -> Bool {
        guard isHarmless(topic), !isBelow(prefix, topic) else { return false }
        if forgetAt == nil { forgetAt = now + Self.memory }
        return denied.insert(topic).inserted
    }

    /// Returns whether no program takes a message on the topic for a request, a state or a discovery.
    private func isHarmless(_ topic: Topic) -> Bool {
        let text = topic.description
        guard text.utf8.count <= Self.longest, !text.utf8.starts(with: "$".utf8) else { return false }
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.count <= Self.mostLevels else { return false }
        if let discoveryPrefix, isBelow(discoveryPrefix, topic) { return false }
        // A client of another gateway would take the message for a response of that gateway.
        if isBelow("\(prefix)/bridge", topic), !isBelow("\(prefix)/bridge/\(gateway)", topic) { return false }
        return !isBelow(prefix, topic) || isResponse(levels)
    }

    /// Returns whether the levels are those of a topic for responses, such as `…/response/VERB`, and of no request.
    private func isResponse(_ levels: [Substring.UTF8View]) -> Bool {
        levels.contains { $0.elementsEqual("response".utf8) }
            && !levels.contains { level in
                ["request", "set", "get"].contains { level.elementsEqual($0.utf8) }
            }
    }

    private func isBelow(_ prefix: String, _ topic: Topic) -> Bool {
        topic.description.utf8.elementsEqual(prefix.utf8) || topic.description.utf8.starts(with: "\(prefix)/".utf8)
    }
}
