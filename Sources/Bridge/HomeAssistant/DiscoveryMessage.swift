internal import JSON
internal import MQTT

/// A retained message of Home Assistant's discovery.
struct DiscoveryMessage: Equatable, Sendable {
    let topic: Topic
    var payload: JSON.Object
    /// The platforms of the components in it, by their keys; empty for the configuration of one component.
    let platforms: [String: String]

    /// Those of an earlier message's components that this one lacks, or has as another platform: by their keys, with the
    /// platforms that they had.
    func gone(from earlier: [String: String]) -> [String: String] {
        earlier.filter { platforms[$0.key] != $0.value }
    }

    /// The same with components of an earlier message marked as removed.
    ///
    /// Home Assistant keeps a component that merely is no longer there, or has another platform now.
    func removing(_ gone: [String: String]) -> DiscoveryMessage {
        var message = self
        var components = payload["components"]?.object ?? JSON.Object()
        for (key, platform) in gone.sorted(by: { $0.key < $1.key }) {
            components[key] = ["platform": .string(platform)]
        }
        message.payload["components"] = .object(components)
        return message
    }
}
