internal import Configuration
internal import EventLoop
internal import JSON
internal import MQTT

/// Everything that goes to the broker, on its topic and with its flags.
struct Outlet: Sendable {
    /// By which it is told from the gateway's earlier and later ones.
    let number: Int
    let client: Client
    /// Where that connects to.
    let broker: BrokerEndpoint
    let topics: Topics
    let qualityOfService: QualityOfService
    /// The gateway's name, which goes with each message (MQTT 5).
    let gateway: String

    /// Where the gateway tells what happens.
    let eventTopic: Topic

    /// A state: retained, and of what waits for the broker only the newest.
    func state(_ json: JSON, on topic: Topic) {
        let message = Message(
            topic, Array(json.description.utf8), qualityOfService: qualityOfService, isRetained: true,
            properties: properties())
        client.publish(message, keeping: .latest)
    }

    /// Something that happened: not retained, and none is left out.
    func event(_ json: JSON, on topic: Topic) {
        let message = Message(
            topic, Array(json.description.utf8), qualityOfService: qualityOfService, properties: properties())
        client.publish(message, keeping: .each)
    }

    /// Tells what happened, to a device or else to the gateway, on the gateway's own topic.
    func announce(_ type: String, device: String? = nil, _ details: JSON.Object = [:], at time: Timestamp) {
        var members: [(String, JSON)] = [("type", .string(type))]
        if let device { members.append(("device", .string(device))) }
        members += details.map { ($0.name, $0.value) }
        members.append(("time", .string(time.description)))
        event(.object(JSON.Object(members)), on: eventTopic)
    }

    func respond(_ outcome: Result<JSON, RequestError>, to reply: ReplyAddress) {
        let response = response(outcome, to: reply)
        let size = response.payload.count
        let error = RequestError(.failed, "the broker does not take the response, which has \(size) bytes")
        // The broker may be talked to in another way by now, of which the asker need not know.
        let isReplaced = reply.client.isClosed && reply.broker == broker
        (isReplaced ? client : reply.client).publish(response, orElse: self.response(.failure(error), to: reply))
    }

    private func response(_ outcome: Result<JSON, RequestError>, to reply: ReplyAddress) -> Message {
        var message = reply.response(outcome, qualityOfService: qualityOfService)
        message.properties.userProperties = properties().userProperties
        return message
    }

    /// What goes with a message besides its payload.
    func properties(contentType: String = "application/json", expiry: Duration? = nil) -> Message.Properties {
        Message.Properties(from: gateway, contentType: contentType, expiry: expiry)
    }
}

extension Message.Properties {
    /// What a gateway sends with a message.
    init(from gateway: String, contentType: String = "application/json", expiry: Duration? = nil) {
        self.init(
            expiry: expiry, contentType: contentType, userProperties: [Message.UserProperty("gateway", gateway)])
    }
}
