import Configuration
import Contract
import JSON
import MQTT

/// The destination of the response to a request, and the data of the request that the response repeats.
struct ReplyAddress: Sendable {
    /// The MQTT client that received the request; it may belong to a broker that the gateway has since replaced.
    let client: Client
    let broker: BrokerNodes
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
    /// The request in the memory of the gateway; nil for a request that was delivered again.
    let remembered: RememberedRequest?

    /// Receives the response in the place of the broker; nil for most requests.
    let deferred: DeferredResponse?
    /// The room of the response among all that the broker has not accepted; nil: none was reserved.
    private let room: ResponseAllowance.Room?
    /// The place of a large response; nil for most responses.
    private var largeAnswer: LargeAnswer?
    /// Called with whether the broker has accepted the response on a Response Topic; nil without such a topic.
    let completion: (@Sendable (_ isAccepted: Bool) -> Void)?

    /// Creates the address of the response to a message.
    ///
    /// - Parameters:
    ///   - message: the request.
    ///   - usualTopic: the topic for responses to this kind of request.
    ///   - responseTopic: the Response Topic of the request (MQTT 5, 4.10), if it may be used, and the function to call with
    ///     whether the broker has accepted the response there.
    ///   - publisher: the publisher whose client received the request.
    ///   - reservation: the space of the request among all waiting requests; nil: the request is rejected.
    ///   - room: the room of the response; nil: the response may be dropped if the broker accepts none for long.
    ///   - remembered: the request in the memory of the gateway; nil if it was delivered again.
    ///   - deferred: receives the response in the place of the broker; nil: the broker receives it.
    init(
        _ message: Message, _ usualTopic: Topic, _ responseTopic: ResponseTopic?, by publisher: Publisher,
        _ reservation: RequestAllowance.Reservation? = nil, _ room: ResponseAllowance.Room? = nil,
        _ remembered: RememberedRequest? = nil, _ deferred: DeferredResponse? = nil
    ) {
        self.deferred = deferred
        self.reservation = reservation
        self.room = room
        self.remembered = remembered
        client = publisher.client
        broker = publisher.broker
        topic = responseTopic?.topic ?? usualTopic
        completion = responseTopic?.completion
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

    /// Returns whether there is room for a response of a size in bytes.
    ///
    /// A large response has a place of its own: one of them exists at a time.
    func hasRoom(for size: Int) -> Bool { largeAnswer != nil || room?.grow(to: size) ?? true }

    /// The objects that exist until the broker has accepted the response or the response is dropped.
    var held: [any AnyObject & Sendable] {
        var list: [any AnyObject & Sendable] = []
        if let room { list.append(room) }
        if let largeAnswer { list.append(largeAnswer) }
        return list
    }

    /// A Response Topic that may be used.
    struct ResponseTopic {
        let topic: Topic
        /// Called with whether the broker has accepted the response.
        let completion: @Sendable (_ isAccepted: Bool) -> Void
    }
}

/// The place of a large response, which becomes free with the last reference.
final class LargeAnswer: Sendable {}
