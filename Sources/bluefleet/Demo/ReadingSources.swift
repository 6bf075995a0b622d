import Configuration

/// The sources of the readings of a configuration.
struct ReadingSources: Sendable {
    /// The characteristics, in the order of the configuration.
    let characteristics: [ReadingSource]
    private let byTopic: [String: ReadingSource]
    /// The names of the devices whose advertisements are read, by the topic above their advertised quantities.
    private let advertisers: [String: String]

    init(_ configuration: Configuration) {
        let prefix = configuration.broker.prefix
        characteristics = configuration.devices.flatMap { device in
            device.characteristics.map { characteristic in
                ReadingSource(
                    characteristic, of: device.name, topic: "\(prefix)/\(device.name)/\(characteristic.topicName)")
            }
        }
        byTopic = Dictionary(characteristics.map { ($0.topic, $0) }) { first, _ in first }
        let listening = configuration.devices.filter { $0.connect == .never }
        advertisers = Dictionary(listening.map { ("\(prefix)/\($0.name)", $0.name) }) { first, _ in first }
    }

    /// The source of the readings on a topic; nil for other topics.
    ///
    /// Advertised quantities are known only when their first reading is published.
    subscript(topic: String) -> ReadingSource? {
        if let source = byTopic[topic] { return source }
        guard let slash = topic.lastIndex(of: "/"), let device = advertisers[String(topic[..<slash])] else {
            return nil
        }
        let name = String(topic[slash...].dropFirst())
        guard TopicName.problem(inCharacteristicName: name) == nil else { return nil }
        return ReadingSource(topic: topic, device: device, name: name, units: [:])
    }
}
