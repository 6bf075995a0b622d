/// An application message: bytes under a topic.
package struct Message: Hashable, Sendable {
    package var topic: Topic
    package var payload: [UInt8]
    package var qualityOfService: QualityOfService
    /// Whether the broker keeps the message for later subscribers; of one that is received: whether it was kept.
    package var isRetained: Bool
    package var properties: Properties

    package init(
        _ topic: Topic, _ payload: [UInt8] = [], qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false, properties: Properties = Properties()
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.properties = properties
    }

    /// The payload as text; nil when it is not UTF-8.
    package var text: String? {
        String(validating: payload, as: UTF8.self)
    }

    /// About how much memory the message takes while it waits, in bytes.
    var size: Int {
        let overhead = 256
        return topic.description.utf8.count + payload.count + overhead
    }
}
