import Codec

/// The owners of all topics, which are used to find devices, characteristics and fields that would share a topic.
///
/// Examples: the characteristics `b` and `b/get` of one device; the characteristic `c` of device `a/b` and the
/// characteristic `b/c` of device `a`.
struct TopicOwners {
    private var owners: [String: String] = [:]
    /// The owners of topics below a `request` or `response` topic, by the `request` or `response` topic.
    private var nested: [String: String] = [:]

    mutating func addDevice(_ device: String) {
        for topic in Self.ownTopics(device) { owners[topic] = device }
        for topic in Self.requests(above: device) { nested[topic] = device }
    }

    /// Returns the message about a device that would share a topic with another owner; nil if there is no conflict.
    func conflict(ofDevice device: String) -> String? {
        for topic in Self.ownTopics(device) {
            if let other = owners[topic] ?? nested[topic] { return message(device, other, topic) }
        }
        return conflict(of: device, amongRequests: Self.requests(above: device))
    }

    /// Adds the topics of a characteristic or advertised field.
    ///
    /// - Returns: The message about the first topic that has another owner; nil if there is no conflict.
    mutating func add(_ name: String, of device: String) -> String? {
        if let conflict = conflict(of: name, of: device) { return conflict }
        let owner = Self.owner(name, device)
        for topic in Self.topics(name, device) { owners[topic] = owner }
        for topic in Self.requests(name, device) { nested[topic] = owner }
        return nil
    }

    /// Returns the message about a characteristic or field that would share a topic; nil if there is no conflict.
    func conflict(of name: String, of device: String) -> String? {
        let owner = Self.owner(name, device)
        for topic in Self.topics(name, device) {
            if let other = owners[topic], other != owner { return message(owner, other, topic) }
        }
        return conflict(of: owner, amongRequests: Self.requests(name, device))
    }

    private func conflict(of owner: String, amongRequests topics: [String]) -> String? {
        for topic in topics {
            if let other = owners[topic] { return message(owner, other, topic) }
        }
        return nil
    }

    private static func owner(_ name: String, _ device: String) -> String { "\(device): \(name)" }

    private static func ownTopics(_ device: String) -> [String] {
        TopicName.ownOfDevices.sorted().map { "\(device)/\($0)" }
    }

    private static func topics(_ name: String, _ device: String) -> [String] {
        ["", "/get", "/set"].map { "\(device)/\(name)\($0)" }
    }

    /// Returns the `request` and `response` topics above a name, even if no device has these topics.
    private static func requests(above name: String) -> [String] {
        let levels = TopicName.levels(of: name)
        return levels.indices.dropFirst().filter { ["request", "response"].contains(levels[$0]) }
            .map { levels[...$0].joined(separator: "/") }
    }

    /// Returns the `request` and `response` topics below a device's name and above a characteristic's topic.
    private static func requests(_ name: String, _ device: String) -> [String] {
        requests(above: "\(device)/\(name)").filter { $0.utf8.count > device.utf8.count }
    }

    private func message(_ owner: String, _ other: String, _ topic: String) -> String {
        "\(owner.quotedForMessage) and \(other.quotedForMessage) would share the topic "
            + "\(topic.quotedForMessage): rename one"
    }
}
