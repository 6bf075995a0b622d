package import JSON
package import MQTT

/// A retained message of Home Assistant's discovery.
package struct DiscoveryMessage: Equatable, Sendable {
    package let topic: Topic
    package var payload: JSON.Object
    /// The platforms of the message's components by the components' keys; empty for a message with one component.
    package let platforms: [String: String]

    /// Returns the components of an earlier message that are missing or have another platform in this message.
    ///
    /// - Parameter earlier: the platforms of the components of the earlier message, by the components' keys.
    /// - Returns: The former platforms of the components, by the components' keys.
    package func gone(from earlier: [String: String]) -> [String: String] {
        earlier.filter { platforms[$0.key] != $0.value }
    }

    /// Returns the message with components of an earlier message marked as removed.
    ///
    /// Home Assistant keeps a component that is only missing or has another platform.
    package func removing(_ gone: [String: String]) -> DiscoveryMessage {
        var message = self
        var components = payload["components"]?.object ?? JSON.Object()
        for (key, platform) in gone.sorted(by: { $0.key < $1.key }) {
            components[key] = ["platform": .string(platform)]
        }
        message.payload["components"] = .object(components)
        return message
    }
}
