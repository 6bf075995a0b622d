import Contract
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
    /// The number of denied topics with the same first level, after which no other one is tried for a time.
    ///
    /// Some brokers close the connection for each denied message (mosquitto 2.0.11).
    private static let mostDenied = 3
    /// The number of denied topics after which only topics below accepted first levels are used for a time.
    private static let mostDeniedInAll = 30
    /// The maximum number of accepted topics that are remembered.
    private static let mostAccepted = 256
    /// How long the gateway remembers what the broker has denied.
    private static let memory = Duration.seconds(3600)

    /// The levels that occur only in topics of requests.
    private static let requests = [DeviceTopicGroup.request, .set, .get].map(\.rawValue)

    private let prefix: String
    private let gateway: String
    private let discoveryPrefix: String?
    private var denied: Set<Topic> = []
    /// Topics on which the broker has accepted a response: they stay in use, whatever other clients name.
    private var accepted: Set<Topic> = []
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
    ///
    /// - Parameters:
    ///   - topic: the Response Topic.
    ///   - now: the present time.
    ///   - isDevice: returns whether the gateway has a device with a name.
    /// - Returns: Whether the topic may be used.
    mutating func mayUse(_ topic: Topic, at now: Instant, isDevice: (String) -> Bool) -> Bool {
        if let forgetAt, now >= forgetAt {
            denied = []
            self.forgetAt = nil
        }
        guard isHarmless(topic), !isBelow(prefix, topic) || isOwnResponse(topic, isDevice) else { return false }
        guard !denied.contains(topic) else { return false }
        if accepted.contains(topic) { return true }
        let level = Self.levels(of: topic)[0]
        guard denied.count(where: { Self.levels(of: $0)[0] == level }) < Self.mostDenied else { return false }
        return denied.count < Self.mostDeniedInAll || accepted.contains { Self.levels(of: $0)[0] == level }
    }

    /// Notes that the broker has accepted a response on a topic.
    mutating func accept(_ topic: Topic) {
        guard isForeign(topic), !accepted.contains(topic) else { return }
        if accepted.count >= Self.mostAccepted { accepted.removeFirst() }
        accepted.insert(topic)
    }

    /// Notes that the broker does not accept messages on a topic.
    ///
    /// - Returns: Whether this is news about a topic that only responses use.
    mutating func deny(_ topic: Topic, at now: Instant) -> Bool {
        guard isForeign(topic) else { return false }
        if forgetAt == nil { forgetAt = now + Self.memory }
        accepted.remove(topic)
        return denied.insert(topic).inserted
    }

    /// Returns whether only a client can have chosen a topic, as the Response Topic of a request.
    func isForeign(_ topic: Topic) -> Bool { isHarmless(topic) && !isBelow(prefix, topic) }

    /// Returns whether the topic is valid for every broker, and not one of the broker or of a discovery.
    private func isHarmless(_ topic: Topic) -> Bool {
        guard topic.description.utf8.count <= Self.longest, !topic.description.utf8.starts(with: "$".utf8),
            Self.levels(of: topic).count <= Self.mostLevels
        else { return false }
        return discoveryPrefix.map { !isBelow($0, topic) } ?? true
    }

    /// Returns whether a topic below the prefix is for responses of this gateway or of one of its devices.
    ///
    /// A level `response` alone does not make it one: it may be part of the name of a device, whose readings would then
    /// be on the topic, perhaps at another gateway.
    private func isOwnResponse(_ topic: Topic, _ isDevice: (String) -> Bool) -> Bool {
        let levels = Self.levels(of: topic).dropFirst(Self.levels(of: prefix).count)
        guard !levels.contains(where: { Self.requests.contains($0) }) else { return false }
        if isBelow("\(prefix)/\(Topics.name(GatewayTopicGroup.response.rawValue, of: gateway))", topic) { return true }
        // The configuration has no device whose name begins with the response topic of another device.
        return levels.indices.dropFirst().contains { index in
            levels[index] == DeviceTopicGroup.response.rawValue && isDevice(levels[..<index].joined(separator: "/"))
        }
    }

    private static func levels(of topic: Topic) -> [String] { levels(of: topic.description) }

    /// Returns the levels of a text, split by bytes as brokers do.
    private static func levels(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private func isBelow(_ prefix: String, _ topic: Topic) -> Bool {
        topic.description.utf8.elementsEqual(prefix.utf8) || topic.description.utf8.starts(with: "\(prefix)/".utf8)
    }
}
