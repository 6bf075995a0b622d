import Configuration
import Contract
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
    /// The transaction of the request, which the response repeats.
    var transaction: Transaction?
    /// The space of the request among all waiting requests; nil: none was reserved.
    private let reservation: RequestAllowance.Reservation?

    /// Exists until the broker has accepted the response or the response is dropped; nil for most responses.
    private(set) var largeAnswer: LargeAnswer?

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

    /// Returns the address with the transaction of the request.
    func with(_ transaction: Transaction?) -> ReplyAddress {
        var address = self
        address.transaction = transaction
        return address
    }

    /// Returns the address for a large response.
    func holding(_ answer: LargeAnswer) -> ReplyAddress {
        var address = self
        address.largeAnswer = answer
        return address
    }
}

/// The place of a large response, which becomes free with the last reference.
final class LargeAnswer: Sendable {}
