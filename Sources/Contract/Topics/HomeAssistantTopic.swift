package import MQTT

/// A topic of Home Assistant's MQTT discovery.
package enum HomeAssistantTopic: String, CaseIterable, Sendable {
    /// The discovery of a device with all its entities.
    case device
    /// The discovery of one entity.
    case component
    /// Home Assistant's own state.
    case status

    /// Returns the topic of the discovery of a device.
    ///
    /// - Throws: `TopicError` if the prefix cannot be part of a topic.
    package static func device(_ identifier: String, prefix: String) throws(TopicError) -> Topic {
        try Topic(deviceText(identifier, prefix))
    }

    /// Returns the topic of the discovery of one entity.
    ///
    /// - Throws: `TopicError` if the prefix or the key cannot be part of a topic.
    package static func component(
        platform: String, _ identifier: String, key: String, prefix: String
    ) throws(TopicError) -> Topic {
        try Topic(componentText(platform, identifier, key, prefix))
    }

    /// Returns the topic on which Home Assistant publishes its state.
    ///
    /// - Throws: `TopicError` if the prefix cannot be part of a topic.
    package static func status(prefix: String) throws(TopicError) -> Topic {
        try Topic(statusText(prefix))
    }

    /// The topic with names in capitals in the places of the names.
    var pattern: String {
        switch self {
        case .device: Self.deviceText("bluefleet_ADDRESS", "HOMEASSISTANT")
        case .component: Self.componentText("PLATFORM", "bluefleet_ADDRESS", "KEY", "HOMEASSISTANT")
        case .status: Self.statusText("HOMEASSISTANT")
        }
    }

    private static func deviceText(_ identifier: String, _ prefix: String) -> String {
        "\(prefix)/device/\(identifier)/config"
    }

    private static func componentText(
        _ platform: String, _ identifier: String, _ key: String, _ prefix: String
    ) -> String {
        "\(prefix)/\(platform)/\(identifier)/\(key)/config"
    }

    private static func statusText(_ prefix: String) -> String { "\(prefix)/status" }
}
