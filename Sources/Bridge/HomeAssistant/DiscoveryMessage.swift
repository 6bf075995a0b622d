internal import JSON
internal import MQTT

/// A retained message of Home Assistant's discovery.
struct DiscoveryMessage: Equatable, Sendable {
    let topic: Topic
    var payload: JSON.Object
    /// The platforms of the components in it, by their keys; empty for the configuration of one component.
    let platforms: [String: String]

    /// The same with components that an earlier one had and this one lacks, marked as removed.
    ///
    /// Home Assistant keeps a component that merely is no longer there.
    func removing(_ gone: [String: String]) -> DiscoveryMessage {
        var message = self
        var components = payload["components"]?.object ?? JSON.Object()
        for (key, platform) in gone.sorted(by: { $0.key < $1.key }) where platforms[key] == nil {
            components[key] = ["platform": .string(platform)]
        }
        message.payload["components"] = .object(components)
        return message
    }
}
