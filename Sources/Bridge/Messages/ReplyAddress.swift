import Configuration
import JSON
import MQTT

/// The destination of the response to a request, and the data of the request that the response repeats.
struct ReplyAddress: Sendable {
    /// The MQTT client that received the request; it may belong to a broker that the gateway has since replaced.
    let client: Client
    let broker: BrokerEndpoint
    let topic: Topic
    /// The topic for a response that the broker does not accept on `topic`.
    let usualTopic: Topic
    /// The topic of the request.
    let request: Topic
    let correlationData: [UInt8]?
    /// The member `transaction` of the request as JSON text, which is much smaller than the parsed value; nil: none.
    private var transaction: [UInt8]?
    /// The space of the request among all waiting requests; nil: none was reserved.
    private let reservation: RequestAllowance.Reservation?

    /// The maximum length of a transaction, in bytes of JSON.
    static let longestTransaction = 4096

    /// Creates the address of the response to a message.
    ///
    /// - Parameters:
    ///   - message: the request.
    ///   - usualTopic: the topic for responses to this kind of request.
    ///   - responseTopic: the Response Topic of the request (MQTT 5, 4.10), if it may be used.
    ///   - publisher: the publisher whose client received the request.
    ///   - reservation: the space of the request among all waiting requests; nil: the request is rejected.
    init(
        _ message: Message, _ usualTopic: Topic, _ responseTopic: Topic?, by publisher: Publisher,
        _ reservation: RequestAllowance.Reservation?
    ) {
        self.reservation = reservation
        client = publisher.client
        broker = publisher.broker
        topic = responseTopic ?? usualTopic
        self.usualTopic = usualTopic
        request = message.topic
        correlationData = message.properties.correlationData
    }

    /// Makes the response repeat the transaction of the request.
    ///
    /// - Throws: `RequestError` `bad_request` if it is too long; the response then has no transaction.
    mutating func setTransaction(_ value: JSON?) throws(RequestError) {
        guard let value else { return }
        let text = Array(value.description.utf8)
        guard text.count <= Self.longestTransaction else {
            throw RequestError(
                .badRequest, "transaction: expected up to \(Self.longestTransaction) bytes, found \(text.count)")
        }
        transaction = text
    }

    /// Returns the payload of the response.
    func payload(_ outcome: Result<JSON, RequestError>) -> JSON {
        var members: [(String, JSON)] = []
        let transaction = transaction.flatMap { try? JSON(parsing: $0) }
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
