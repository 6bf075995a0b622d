import Configuration
import JSON
import MQTT

/// The destination of the response to a request, and the data of the request that the response repeats.
struct ReplyAddress: Sendable {
    /// The MQTT client that received the request; it may belong to a broker that the gateway has since replaced.
    let client: Client
    let broker: BrokerEndpoint
    let topic: Topic
    let correlationData: [UInt8]?
    var transaction: JSON?

    /// Creates the address with the Response Topic of the request (MQTT 5, 4.10), or with `topic` without a Response
    /// Topic.
    init(_ message: Message, _ topic: Topic, by publisher: Publisher) {
        client = publisher.client
        broker = publisher.broker
        self.topic = message.properties.responseTopic ?? topic
        correlationData = message.properties.correlationData
    }

    /// Returns the payload of the response.
    func payload(_ outcome: Result<JSON, RequestError>) -> JSON {
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
        return .object(JSON.Object(members))
    }
}
