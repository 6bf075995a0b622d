import Codec

/// Whose topic is whose: finds devices and what they tell whose names come to the same topic.
///
/// `a` with a characteristic `b/get` is such a case beside one that is called `b`, and so is a device `a/b` with a
/// characteristic `c` beside a device `a` with a characteristic `b/c`.
struct TopicOwners {
    private var owners: [String: String] = [:]
    /// By the topic of requests that some device might have: who has a topic below it.
    private var nested: [String: String] = [:]

    mutating func addDevice(_ device: String) {
        for topic in Self.ownTopics(device) { owners[topic] = device }
        for topic in Self.requests(above: device) { nested[topic] = device }
    }

    /// The sentence about a device some of whose own topics are another's, or lie among another one's requests.
    func clash(ofDevice device: String) -> String? {
        for topic in Self.ownTopics(device) {
            if let other = owners[topic] ?? nested[topic] { return sentence(device, other, topic) }
        }
        return clash(of: device, amongRequests: Self.requests(above: device))
    }

    /// Takes in the topics of what a device tells under a name; returns the sentence about the first that is another's
    /// already.
    mutating func add(_ name: String, of device: String) -> String? {
        if let clash = clash(of: name, of: device) { return clash }
        let owner = Self.owner(name, device)
        for topic in Self.topics(name, device) { owners[topic] = owner }
        for topic in Self.requests(name, device) { nested[topic] = owner }
        return nil
    }

    /// The sentence about a name one of whose topics is another's.
    func clash(of name: String, of device: String) -> String? {
        let owner = Self.owner(name, device)
        for topic in Self.topics(name, device) {
            if let other = owners[topic], other != owner { return sentence(owner, other, topic) }
        }
        return clash(of: owner, amongRequests: Self.requests(name, device))
    }

    private func clash(of owner: String, amongRequests topics: [String]) -> String? {
        for topic in topics {
            if let other = owners[topic] { return sentence(owner, other, topic) }
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

    /// The topics of requests below which a name is, if there are devices that have them.
    private static func requests(above name: String) -> [String] {
        let levels = TopicName.levels(of: name)
        return levels.indices.dropFirst().filter { ["request", "response"].contains(levels[$0]) }
            .map { levels[...$0].joined(separator: "/") }
    }

    /// The same of what a device tells: without those that are above the device itself.
    private static func requests(_ name: String, _ device: String) -> [String] {
        requests(above: "\(device)/\(name)").filter { $0.utf8.count > device.utf8.count }
    }

    private func sentence(_ owner: String, _ other: String, _ topic: String) -> String {
        "\(owner.quotedForMessage) and \(other.quotedForMessage) would share the topic "
            + "\(topic.quotedForMessage): rename one"
    }
}
