internal import Configuration
internal import JSON
internal import MQTT

/// Where the response to a request goes, and what it repeats.
struct ReplyAddress: Sendable {
    /// By which the request came: the asker listens to that broker, whichever the gateway's is by now.
    let client: Client
    let broker: BrokerEndpoint
    let topic: Topic
    let correlationData: [UInt8]?
    var transaction: JSON?

    /// The asker's Response Topic where there is one (MQTT 5, 4.10), else the contract's.
    init(_ message: Message, _ topic: Topic, by outlet: Outlet) {
        client = outlet.client
        broker = outlet.broker
        self.topic = message.properties.responseTopic ?? topic
        correlationData = message.properties.correlationData
    }

    /// The response as a message.
    func response(_ outcome: Result<JSON, RequestError>, qualityOfService: QualityOfService) -> Message {
        var members: [(String, JSON)] = []
        switch outcome {
        case .success(let data):
            members.append(("status", "ok"))
            if let transaction { members.append(("transaction", transaction)) }
            members.append(("data", data))
        case .failure(let error):
            members.append(("status", "error"))
            if let transaction { members.append(("transaction", transaction)) }
            members.append(("error", error.json))
        }
        let text = JSON.object(JSON.Object(members)).description
        return Message(
            topic, Array(text.utf8), qualityOfService: qualityOfService,
            properties: Message.Properties(contentType: "application/json", correlationData: correlationData))
    }
}
