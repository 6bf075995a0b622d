package import JSON

/// The topics on which the broker retains messages of the gateway; the gateway removes messages that are outdated.
package struct RetainedTopics: Equatable, Sendable {
    /// The topics of the gateway and its devices.
    package private(set) var own: Set<String> = []
    /// The platforms of the components by their keys, by the topic of each message of Home Assistant's discovery.
    ///
    /// The platforms are empty for a message with one component.
    package private(set) var discovery: [String: [String: String]] = [:]

    package init() {}

    package init(own: Set<String>, discovery: [DiscoveryMessage]) {
        self.own = own
        self.discovery = Dictionary(discovery.map { ("\($0.topic)", $0.platforms) }) { $1 }
    }

    /// Adds topics of the gateway and its devices.
    package mutating func keep(_ topics: Set<String>) { own.formUnion(topics) }

    /// Removes topics of the gateway and its devices.
    package mutating func forget(_ topics: some Sequence<String>) { own.subtract(topics) }

    /// Adds a topic of discovery with its platforms in `earlier`.
    package mutating func keepDiscovery(on topic: String, of earlier: RetainedTopics) {
        discovery[topic] = earlier.discovery[topic]
    }

    /// Removes a topic of discovery.
    package mutating func forgetDiscovery(on topic: String) { discovery[topic] = nil }

    /// Returns the topics that `later` does not contain: the topics of discovery, then the own topics, each sorted.
    package func gone(in later: RetainedTopics) -> [String] {
        goneDiscovery(in: later) + own.subtracting(later.own).sorted()
    }

    /// Returns the topics of discovery that `later` does not contain, sorted.
    package func goneDiscovery(in later: RetainedTopics) -> [String] {
        discovery.keys.filter { later.discovery[$0] == nil }.sorted()
    }

    /// Returns the topics of discovery whose entities `later` announces in the other form.
    ///
    /// The two forms are messages with one component and messages with several components. Home Assistant drops the
    /// settings of a removed entity, and keeps the settings of a migrated entity.
    package func migrating(to later: RetainedTopics) -> [String] {
        goneDiscovery(in: later).filter { topic in
            guard let device = Self.device(of: topic) else { return false }
            return later.discovery.contains { other, platforms in
                platforms.isEmpty != (discovery[topic]?.isEmpty ?? true) && Self.device(of: other) == device
            }
        }
    }

    /// Returns the identifier of the device in a topic of discovery; nil if there is none.
    private static func device(of topic: String) -> String? {
        topic.split(separator: "/").map(String.init).first { $0.hasPrefix("bluefleet_") }
    }
}

extension RetainedTopics {
    package init(_ json: JSON) {
        own = Set((json["topics"]?.array ?? []).compactMap(\.string))
        for member in json["discovery"]?.object ?? JSON.Object() {
            let platforms = (member.value.object ?? JSON.Object()).compactMap { component in
                component.value.string.map { (component.name, $0) }
            }
            discovery[member.name] = Dictionary(platforms) { $1 }
        }
    }

    package var json: JSON {
        let discovery = discovery.sorted { $0.key < $1.key }.map { topic, platforms in
            let components = platforms.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
            return (topic, JSON.object(JSON.Object(components)))
        }
        return ["topics": .array(own.sorted().map { .string($0) }), "discovery": .object(JSON.Object(discovery))]
    }
}
