/// An application message: bytes under a topic.
package struct Message: Hashable, Sendable {
    package var topic: Topic
    package var payload: [UInt8]
    package var qualityOfService: QualityOfService
    /// Whether the broker keeps the message for later subscribers; of one that is received: whether it was kept.
    package var isRetained: Bool
    private(set) var shared: Shared

    package init(
        _ topic: Topic, _ payload: [UInt8] = [], qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false, properties: Properties = Properties()
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        shared = Shared(properties)
    }

    /// What it carries besides its payload.
    package var properties: Properties {
        get { shared.properties }
        set { shared = Shared(newValue) }
    }

    /// For how long the message is worth delivering: asked for more often than all else, and so without the rest.
    package var expiry: Duration? {
        get { shared.properties.expiry }
        set { properties.expiry = newValue }
    }

    /// The payload as text; nil when it is not UTF-8.
    package var text: String? {
        String(validating: payload, as: UTF8.self)
    }

    /// Properties that are there once for all copies of a message: a program sends many that differ in nothing else than
    /// their payload.
    final class Shared: Hashable, Sendable {
        let properties: Properties
        /// How many bytes they have that another program has chosen.
        let size: Int

        init(_ properties: Properties) {
            self.properties = properties
            size = (properties.responseTopic?.description.utf8.count ?? 0) + (properties.correlationData?.count ?? 0)
        }

        static func == (left: Shared, right: Shared) -> Bool {
            left === right || left.properties == right.properties
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(properties)
        }
    }

    /// About how much memory the message takes while it waits, in bytes.
    var size: Int {
        let overhead = 256
        return topic.description.utf8.count + payload.count + shared.size + overhead
    }
}
