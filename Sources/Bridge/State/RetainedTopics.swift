internal import JSON

/// What a gateway has given the broker to keep, so that it can take back what is no longer true.
struct RetainedTopics: Equatable, Sendable {
    /// The topics of the gateway and its devices.
    var own: Set<String> = []
    /// The topics of Home Assistant's discovery, with the platforms of the components in each by their keys; none in
    /// the configuration of one component.
    var discovery: [String: [String: String]] = [:]

    init() {}

    init(own: Set<String>, discovery: [DiscoveryMessage]) {
        self.own = own
        self.discovery = Dictionary(discovery.map { ("\($0.topic)", $0.platforms) }) { $1 }
    }

    /// The topics that later ones do without, in order.
    func gone(in later: RetainedTopics) -> [String] {
        own.subtracting(later.own).sorted() + goneDiscovery(in: later)
    }

    private func goneDiscovery(in later: RetainedTopics) -> [String] {
        discovery.keys.filter { later.discovery[$0] == nil }.sorted()
    }

    /// The topics of discovery whose entities are told in the other form from now on.
    ///
    /// Home Assistant forgets what a person has set for an entity that is removed; one that migrates keeps it.
    func migrating(to later: RetainedTopics) -> [String] {
        goneDiscovery(in: later).filter { topic in
            guard let device = Self.device(of: topic) else { return false }
            return later.discovery.contains { other, platforms in
                platforms.isEmpty != (discovery[topic]?.isEmpty ?? true) && Self.device(of: other) == device
            }
        }
    }

    /// The identifier of the device that a topic of discovery is about.
    private static func device(of topic: String) -> String? {
        topic.split(separator: "/").map(String.init).first { $0.hasPrefix("bluefleet_") }
    }
}

extension RetainedTopics {
    init(_ json: JSON) {
        own = Set((json["topics"]?.array ?? []).compactMap(\.string))
        for member in json["discovery"]?.object ?? JSON.Object() {
            let platforms = (member.value.object ?? JSON.Object()).compactMap { component in
                component.value.string.map { (component.name, $0) }
            }
            discovery[member.name] = Dictionary(platforms) { $1 }
        }
    }

    var json: JSON {
        let discovery = discovery.sorted { $0.key < $1.key }.map { topic, platforms in
            let components = platforms.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
            return (topic, JSON.object(JSON.Object(components)))
        }
        return ["topics": .array(own.sorted().map { .string($0) }), "discovery": .object(JSON.Object(discovery))]
    }
}
