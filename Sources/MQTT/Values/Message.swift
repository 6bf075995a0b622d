/// An application message: a topic, a payload and delivery options.
package struct Message: Hashable, Sendable {
    package var topic: Topic
    package var payload: [UInt8]
    package var qualityOfService: QualityOfService
    /// Whether the broker stores the message for later subscribers.
    ///
    /// In a received message: whether the broker had stored the message before the subscription.
    package var isRetained: Bool
    private(set) var shared: Shared

    package init(
        _ topic: Topic, _ payload: [UInt8] = [], qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = false, properties: Properties = Properties(), isDuplicate: Bool = false
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        shared = Shared(properties, isDuplicate: isDuplicate)
    }

    /// The MQTT 5 properties.
    package var properties: Properties {
        get { shared.properties }
        set { shared = Shared(newValue, isDuplicate: shared.isDuplicate) }
    }

    /// Whether the broker may have delivered the message before (DUP; MQTT 5, 3.3.1.1); false in a message to publish.
    package var isDuplicate: Bool { shared.isDuplicate }

    /// How long the message may wait for delivery (`Properties.expiry`), read without a copy of the other properties.
    package var expiry: Duration? {
        get { shared.properties.expiry }
        set { properties.expiry = newValue }
    }

    /// The payload as text; nil if the payload is not valid UTF-8.
    package var text: String? {
        String(validating: payload, as: UTF8.self)
    }

    /// The properties that all copies of a message share: most messages of a program differ only in their payload.
    final class Shared: Hashable, Sendable {
        let properties: Properties
        /// The length in bytes of the parts that another program chose: response topic and correlation data.
        let size: Int
        let isDuplicate: Bool

        init(_ properties: Properties, isDuplicate: Bool) {
            self.properties = properties
            self.isDuplicate = isDuplicate
            size = (properties.responseTopic?.description.utf8.count ?? 0) + (properties.correlationData?.count ?? 0)
        }

        static func == (left: Shared, right: Shared) -> Bool {
            left === right || left.properties == right.properties && left.isDuplicate == right.isDuplicate
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(properties)
        }
    }

    /// The approximate memory that the message uses in a queue, in bytes.
    var size: Int {
        let overhead = 256
        return topic.description.utf8.count + payload.count + shared.size + overhead
    }
}
