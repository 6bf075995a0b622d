/// The documentation of one topic, or of several topics that belong together.
package struct TopicReference: Sendable {
    /// A member of the payload with its documentation.
    package struct Member: Sendable {
        package let name: String
        package let meaning: String

        package init(_ name: String, _ meaning: String) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// Whether the broker keeps the last message of a topic for later subscribers.
    package enum Retention: Sendable {
        case retained
        case notRetained
        /// The configuration decides; readings of momentary events are not retained.
        case asConfigured
        /// Another program publishes the topic.
        case other
    }

    package let topics: [String]
    package let retention: Retention
    package let meaning: String
    /// The members of the payload that `meaning` does not describe.
    package let members: [Member]
    /// An example of a payload; nil for topics whose payloads are described elsewhere.
    package let example: String?

    package init(
        _ topics: [String], _ retention: Retention, _ meaning: String, _ members: [Member] = [],
        example: String? = nil
    ) {
        self.topics = topics
        self.retention = retention
        self.meaning = meaning
        self.members = members
        self.example = example
    }

    /// The topics of the gateway.
    package static let gateway =
        GatewayTopic.allCases.map(\.reference) + GatewayTopicGroup.allCases.map(\.reference)

    /// The topics of a device.
    package static let device =
        DeviceTopic.allCases.map(\.reference) + DeviceTopicGroup.allCases.map(\.reference)

    /// The topics of Home Assistant's MQTT discovery; `HOMEASSISTANT` is its prefix.
    package static let homeAssistant = HomeAssistantTopic.allCases.map(\.reference)
}
