package import JSON
package import MQTT

/// The message of a client, as gateways pass it to one another: the content of a `FleetRequest`.
///
/// In JSON: `{"topic":"bluefleet/porch/temperature/get","payload":"e30=","response":"answers/here","correlation":"MDc="}`,
/// with the bytes in base64 (RFC 4648, 4).
package struct RequestContent: Hashable, Sendable {
    private let topic: Topic
    private let payload: [UInt8]
    private let responseTopic: Topic?
    private let correlationData: [UInt8]?

    /// The content of a message that was received.
    package init(_ message: Message) {
        topic = message.topic
        payload = message.payload
        responseTopic = message.properties.responseTopic
        correlationData = message.properties.correlationData
    }

    /// The texts that are equal in two equal requests, and differ in two different ones.
    package var texts: [String] {
        [
            "\(topic)", responseTopic.map { "\($0)" } ?? "", correlationData.map(Base64.encode) ?? "",
            Base64.encode(payload),
        ]
    }

    /// Returns the message with a time after which it has expired.
    package func message(expiringAfter remaining: Duration) -> Message {
        Message(
            topic, payload,
            properties: Message.Properties(
                expiry: remaining, responseTopic: responseTopic, correlationData: correlationData))
    }

    package var json: JSON {
        var members: JSON.Object = ["topic": .string("\(topic)"), "payload": .string(Base64.encode(payload))]
        members.add("response", responseTopic.map { .string("\($0)") })
        members.add("correlation", correlationData.map { .string(Base64.encode($0)) })
        return .object(members)
    }

    /// - Returns: nil if a member is missing or not valid.
    package init?(_ json: JSON) {
        guard let topic = json["topic"]?.string.flatMap({ try? Topic($0) }),
            let payload = json["payload"]?.string.flatMap(Base64.decode)
        else { return nil }
        var (responseTopic, correlationData): (Topic?, [UInt8]?)
        if let response = json["response"] {
            responseTopic = response.string.flatMap { try? Topic($0) }
            if responseTopic == nil { return nil }
        }
        if let correlation = json["correlation"] {
            correlationData = correlation.string.flatMap(Base64.decode)
            if correlationData == nil { return nil }
        }
        self.topic = topic
        self.payload = payload
        self.responseTopic = responseTopic
        self.correlationData = correlationData
    }
}
