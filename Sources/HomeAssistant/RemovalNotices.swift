package import JSON

/// The messages that precede the end of the discovery of devices.
///
/// In Home Assistant 2026.2, an empty discovery does not remove the disabled entities of the device. Home Assistant removes
/// them later with the device, empties the discovery again for each of them, and logs the warning "No device components to
/// cleanup". It does not do this for a disabled entity that was replaced: the notice puts a new, enabled entity in the place
/// of each disabled one. An enabled entity ignores the change of its identifier. Home Assistant 2026.11 needs no notice.
///
/// A value without I/O.
package struct RemovalNotices {
    /// The topics on which a notice was published and that are not cleared yet.
    private var underWay: Set<String> = []

    package init() {}

    /// Begins the removal of a device.
    ///
    /// - Parameters:
    ///   - topic: the topic of the device's discovery.
    ///   - platforms: the platforms of the device's components, by the components' keys.
    /// - Returns: the notice; nil if the removal is under way, or the discovery has no components and needs no notice.
    package mutating func begin(_ topic: String, _ platforms: [String: String]) -> JSON.Object? {
        guard !platforms.isEmpty, underWay.insert(topic).inserted else { return nil }
        return Self.notice(topic, platforms)
    }

    package func isUnderWay(_ topic: String) -> Bool { underWay.contains(topic) }

    /// Returns whether a removal was under way, and ends it.
    package mutating func cancel(_ topic: String) -> Bool {
        underWay.remove(topic) != nil
    }

    /// Ends all removals; returns their topics, sorted.
    package mutating func end() -> [String] {
        defer { underWay = [] }
        return underWay.sorted()
    }

    /// Returns a discovery with a new entity in the place of each entity.
    ///
    /// It needs only the stored platforms, because a device may have been removed while the gateway was stopped.
    private static func notice(_ topic: String, _ platforms: [String: String]) -> JSON.Object {
        let base = topic.split(separator: "/").dropLast().joined(separator: "/")
        let identifier = base.split(separator: "/").last.map(String.init) ?? base
        // A topic without messages.
        let silent = JSON.string("\(base)/removed")
        let components = platforms.sorted { $0.key < $1.key }.map { key, platform in
            var component = requiredMembers(platform, silent)
            component["platform"] = .string(platform)
            component["unique_id"] = .string("\(identifier)_\(key)-removed")
            return (key, JSON.object(component))
        }
        // With the mode `all` the entities are unavailable at once; a value without its unit would disturb the statistics.
        return [
            "device": ["identifiers": [.string(identifier)]], "origin": ["name": "Bluefleet"],
            "availability": [["topic": silent]], "availability_mode": "all",
            "components": .object(JSON.Object(components)),
        ]
    }

    /// Returns the members that Home Assistant requires of a platform, and the topics.
    ///
    /// An entity without a topic of its state would keep the former one, and use the new template for its messages.
    private static func requiredMembers(_ platform: String, _ topic: JSON) -> JSON.Object {
        let control: JSON.Object = ["command_topic": topic, "state_topic": topic]
        return switch Entity.Platform(rawValue: platform) {
        case .sensor, .binarySensor: ["state_topic": topic]
        case .event: ["state_topic": topic, "event_types": ["removed"]]
        case .button: ["command_topic": topic]
        case .select: control.adding(["options": ["removed"]])
        case .number: control.adding(["min": 0, "max": 1, "step": 1])
        case .text, .switch: control
        case nil: [:]
        }
    }
}
