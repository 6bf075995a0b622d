package import Configuration
import Contract
package import JSON
package import MQTT

/// The Home Assistant MQTT discovery of one device or of the gateway.
package struct Discovery: Equatable, Sendable {
    /// Identifies the device permanently.
    package let identifier: String
    /// The description of the device (Home Assistant's `device`).
    package var device: JSON.Object
    /// The conditions under which all entities are available (Home Assistant's `availability`); all must hold.
    ///
    /// Empty if each entity has its own conditions.
    package var availability: [JSON]
    package var entities: [Entity]

    /// The program that publishes the discovery (Home Assistant's `origin`).
    package static func origin(version: String) -> JSON {
        ["name": "Bluefleet", "sw_version": .string(version)]
    }

    /// Returns the messages of the discovery.
    package func messages(_ settings: Configuration.HomeAssistant, origin: JSON) throws(TopicError)
        -> [DiscoveryMessage]
    {
        switch settings.discovery {
        case .none: []
        case .device: [try deviceMessage(settings.prefix, origin)]
        case .component:
            try entities.map { entity throws(TopicError) in
                try componentMessage(entity, settings.prefix, origin)
            }
        }
    }

    /// Returns one message for all entities, which requires Home Assistant 2024.11.
    private func deviceMessage(_ prefix: String, _ origin: JSON) throws(TopicError) -> DiscoveryMessage {
        let components = entities.map { entity -> (String, JSON) in
            var configuration = entity.configuration(of: identifier)
            configuration["platform"] = .string(entity.platform.rawValue)
            return (entity.key, .object(configuration))
        }
        var payload = shared(origin)
        payload["components"] = .object(JSON.Object(components))
        // If two entities have the same key, the last one is published, as in `components`.
        let platforms = Dictionary(entities.map { ($0.key, $0.platform.rawValue) }) { _, last in last }
        return DiscoveryMessage(
            topic: try HomeAssistantTopic.device(identifier, prefix: prefix), payload: payload, platforms: platforms)
    }

    /// Returns the message for one entity, which older versions of Home Assistant and openHAB support.
    private func componentMessage(
        _ entity: Entity, _ prefix: String, _ origin: JSON
    ) throws(TopicError) -> DiscoveryMessage {
        var payload = shared(origin)
        for member in entity.configuration(of: identifier) { payload[member.name] = member.value }
        let topic = try HomeAssistantTopic.component(
            platform: entity.platform.rawValue, identifier, key: entity.key, prefix: prefix)
        return DiscoveryMessage(topic: topic, payload: payload, platforms: [:])
    }

    private func shared(_ origin: JSON) -> JSON.Object {
        var payload: JSON.Object = ["device": .object(device), "origin": origin]
        if !availability.isEmpty {
            payload["availability"] = .array(availability)
            payload["availability_mode"] = "all"
        }
        return payload
    }
}
