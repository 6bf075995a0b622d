/// Whose topic is whose: finds devices and characteristics whose names come to the same topic.
///
/// `a` with a characteristic `b/get` is such a case beside one that is called `b`, and so is a device `a/b` with a
/// characteristic `c` beside a device `a` with a characteristic `b/c`.
struct TopicOwners {
    private var owners: [String: String] = [:]

    mutating func addDevice(_ device: String) {
        for topic in TopicName.ownOfDevices { owners["\(device)/\(topic)"] = device }
    }

    /// The sentence about a device whose topics lie among the requests of another one.
    func clash(ofDevice device: String) -> String? {
        let levels = TopicName.levels(of: device)
        for count in levels.indices.dropFirst() where Self.requests.contains(levels[count]) {
            let topic = levels[...count].joined(separator: "/")
            if let other = owners[topic] { return sentence(device, other, topic) }
        }
        return nil
    }

    /// Takes in the topics of a characteristic; returns the sentence about the first that is another's already.
    mutating func addCharacteristic(_ name: String, of device: String) -> String? {
        if let clash = clash(ofCharacteristic: name, of: device) { return clash }
        for topic in Self.topics(name, device) { owners[topic] = "\(device): \(name)" }
        return nil
    }

    /// The sentence about a characteristic one of whose topics is another's.
    func clash(ofCharacteristic name: String, of device: String) -> String? {
        let owner = "\(device): \(name)"
        for topic in Self.topics(name, device) {
            if let other = owners[topic], other != owner { return sentence(owner, other, topic) }
        }
        return nil
    }

    private static func topics(_ name: String, _ device: String) -> [String] {
        ["", "/get", "/set"].map { "\(device)/\(name)\($0)" }
    }

    /// Whether a device's topics could lie among the requests of another one.
    static func mayLieAmongRequests(_ device: String) -> Bool {
        TopicName.levels(of: device).dropFirst().contains(where: requests.contains)
    }

    private static let requests: Set = ["request", "response"]

    private func sentence(_ owner: String, _ other: String, _ topic: String) -> String {
        "\(owner.quotedForMessage) and \(other.quotedForMessage) would share the topic "
            + "\(topic.quotedForMessage): rename one"
    }
}
