internal import Configuration

/// Where the readings of a configuration come from.
struct ReadingSources: Sendable {
    /// The characteristics, in the configuration's order.
    let characteristics: [ReadingSource]
    private let byTopic: [String: ReadingSource]
    /// The devices whose advertisements are read, by the topic above all of theirs.
    private let advertisers: [String: String]

    init(_ configuration: Configuration) {
        let prefix = configuration.broker.prefix
        characteristics = configuration.devices.flatMap { device in
            device.characteristics.map { characteristic in
                ReadingSource(characteristic, of: device.name, topic: "\(prefix)/\(device.name)/\(characteristic.name)")
            }
        }
        byTopic = Dictionary(characteristics.map { ($0.topic, $0) }) { first, _ in first }
        let listening = configuration.devices.filter { $0.connect == .never }
        advertisers = Dictionary(listening.map { ("\(prefix)/\($0.name)", $0.name) }) { first, _ in first }
    }

    /// Whose readings come on a topic; what a device advertises is only known once it is heard.
    subscript(topic: String) -> ReadingSource? {
        if let source = byTopic[topic] { return source }
        guard let slash = topic.lastIndex(of: "/"), let device = advertisers[String(topic[..<slash])] else {
            return nil
        }
        let name = String(topic[slash...].dropFirst())
        guard TopicName.complaint(aboutCharacteristic: name) == nil else { return nil }
        return ReadingSource(topic: topic, device: device, name: name, units: [:])
    }
}
