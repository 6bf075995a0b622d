import Configuration
import Contract
import EventLoop
import JSON
import Log
import MQTT
import System

/// Publishes the messages of the gateway and its devices through one client of one broker.
struct Publisher: Sendable {
    /// The number of this publisher, which is unique in one run of the gateway.
    ///
    /// A change of the broker's settings or of the gateway's name creates a new publisher.
    let number: Int
    let client: Client
    /// The nodes of the broker that `client` connects to.
    let broker: BrokerNodes
    let messages: MessageBuilder
    private let lateNumbers: LateNumbers
    private let failures = FailureLines()

    init(
        number: Int, client: Client, broker: BrokerNodes, _ messages: MessageBuilder, _ lateNumbers: LateNumbers
    ) {
        self.number = number
        self.client = client
        self.broker = broker
        self.messages = messages
        self.lateNumbers = lateNumbers
    }

    var topics: Topics { messages.topics }
    /// The URL of the node to which `client` is connected or connects.
    var node: String { broker.url(of: client) }

    /// Whether this process publishes as the gateway; false while another process may have its name (`share`).
    var mayPublish: Bool { messages.start.map { $0.nameOwner == .thisProcess } ?? true }

    /// Publishes a message on a topic of the gateway, as a retained state if that is the rule of the topic.
    func publish(_ json: JSON, on topic: GatewayTopic) {
        topic.isRetained ? publish(state: json, on: topics[topic]) : publish(each: json, on: topics[topic])
    }

    /// Publishes a retained state; a newer state of the topic replaces a queued state.
    func publish(state json: JSON, on topic: Topic) {
        guard mayPublish else { return }
        client.publish(messages.message(json, on: topic, isRetained: true), policy: .latest)
    }

    /// Publishes a message that is not retained; a queued message is not replaced by newer messages of the topic.
    func publish(each json: JSON, on topic: Topic) {
        publish(each: messages.message(json, on: topic, isRetained: false))
    }

    /// Publishes an event on its topic.
    ///
    /// A secret is of no use after the pairing: it does not wait for a connection.
    func publish(_ event: GatewayEvent, at time: Timestamp) {
        guard messages.start?.nameOwner != .otherProcess || event.kind == .nameTaken else { return }
        client.publish(
            messages.message(event.json(at: time), on: topics[event.topic], isRetained: false),
            policy: event.isSecret ? .whileConnected : messages.eventPolicy)
    }

    /// Publishes a message to other gateways before all queued messages; without a connection it is dropped.
    func publish(toGateways json: JSON, on topic: GatewayTopic) {
        client.publishNext(messages.fleetMessage(json, on: topic))
    }

    /// Corrects the times of the messages that the broker has not accepted.
    func correctTimes(_ step: ClockStep) {
        client.changePayloads { step.corrected(payload: $0.payload) }
    }

    /// Publishes on the gateway's state topic that the gateway is running.
    func publishOnline() {
        guard mayPublish else { return }
        client.publish(messages.state(.online), policy: .latest)
    }

    /// Publishes on the gateway's state topic that the gateway is not running.
    func publishOffline() {
        publish(each: messages.state(.offline))
    }

    /// Publishes a message; a queued message is not replaced by newer messages of the topic.
    func publish(each message: Message) {
        client.publish(message, policy: .each)
    }

    /// Publishes a message as `publish(each:)` does; `completion` is called once the broker has accepted or rejected it.
    func publish(each message: Message, completion: @escaping @Sendable (_ isAccepted: Bool) -> Void) {
        client.publish(message, .each, completion: completion)
    }

    /// Publishes a message that another client could not send.
    func publish(_ unsent: Client.Unsent) {
        if let fallback = unsent.fallback {
            client.publish(unsent.message, orElse: fallback)
        } else {
            publish(each: unsent.message)
        }
    }

    /// Publishes a reading of the past while there is a connection.
    ///
    /// - Parameters:
    ///   - received: The reading with its own time.
    ///   - topic: The topic of the readings, to which the late topic belongs.
    ///   - now: The current time.
    ///   - completion: Receives whether the broker has accepted the message; called once.
    /// - Throws: `TopicError` if the late topic is too long.
    func publish(
        late received: ReceivedReading, of topic: Topic, at now: Timestamp,
        completion: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) throws(TopicError) {
        let payload = LatePayload(received, id: lateNumbers.reserve(at: now))
        let late = try topics.gateway(.late, topics.lateName(of: topic))
        client.publish(messages.late(payload, on: late), .whileConnected, completion: completion)
    }

    // MARK: The end of the connection

    /// The time limit for the broker to accept the last messages.
    private static let closingTime = Duration.seconds(2)

    /// Publishes that the gateway is offline, and disconnects.
    ///
    /// - Returns: The messages that the broker has not accepted.
    func close() async -> [Client.Unsent] {
        await client.close(within: Self.closingTime, lastMessage: mayPublish ? messages.state(.offline) : nil)
    }

    /// Disconnects without another message.
    func closeSilently() async {
        await client.close(within: Self.closingTime)
    }

    // MARK: Retained messages and responses

    /// Removes the retained message of a topic from the broker; ignores an invalid topic.
    func clear(_ topic: String) {
        guard let topic = try? Topic(topic) else { return }
        client.publish(messages.empty(on: topic), policy: .latest)
    }

    /// Removes the retained message of a topic from the broker; a newer message of the topic does not replace this in the
    /// queue.
    func publish(emptyOn topic: Topic) {
        publish(each: messages.empty(on: topic))
    }

    /// Logs the result of a request; that a newer request replaced it is no failure.
    private func log(_ outcome: Result<JSON, RequestError>, of reply: ReplyAddress) {
        let log = Log("requests")
        switch outcome {
        case .success: log.debug("\(reply.request) succeeded")
        case .failure(let error) where error.code == .superseded: log.debug("\(reply.request): \(error.message)")
        case .failure(let error):
            let text = "\(reply.request) failed: \(error.message)"
            guard let line = failures.line(text, at: client.loop.now) else { return log.debug(text) }
            log.warning(line, ["code": error.code.rawValue])
        }
    }

    /// The maximum size in bytes of a response that is sent again if the broker denies its Response Topic.
    private static let mostForSecondTry = 65_536

    /// Sends the response to a request.
    func respond(_ outcome: Result<JSON, RequestError>, to reply: ReplyAddress) {
        log(outcome, of: reply)
        var payload = messages.responsePayload(outcome, to: reply)
        if !reply.hasRoom(for: payload.count) {
            let reason =
                "the response has \(payload.count) bytes, and the broker has not accepted the others: try again later"
            payload = messages.responsePayload(.failure(RequestError(.busy, reason)), to: reply)
        }
        reply.remembered?.answer(payload)
        if let deferred = reply.deferred { return deferred.answer(payload, to: reply) }
        respond(payload, to: reply)
    }

    /// Sends a response that another gateway may send too: it is not sent again after the end of the connection.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - reply: The destination of the response.
    ///   - topic: The Response Topic or the usual topic of the destination.
    ///   - completion: Receives whether the broker has accepted the response; called once.
    func respond(
        _ payload: [UInt8], to reply: ReplyAddress, on topic: Topic,
        completion: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) {
        client.publish(messages.response(payload, to: reply, on: topic), .whileConnected, completion: completion)
    }

    /// Sends the response to a request, or sends it again to a request that the broker has delivered again.
    func respond(_ payload: [UInt8], to reply: ReplyAddress) {
        let size = payload.count
        let error = RequestError(.failed, "the broker does not accept the response: it has \(size) bytes")
        // The broker may deny the Response Topic, or any message of this size.
        let isDenied = reply.topic != reply.usualTopic && size <= Self.mostForSecondTry
        let fallback = isDenied ? payload : messages.responsePayload(.failure(error), to: reply)
        // After a reload another client may be connected to the same broker.
        let isReplaced = reply.client.isClosed && reply.broker.nameSameBroker(as: broker)
        (isReplaced ? client : reply.client).publish(
            messages.response(payload, to: reply, on: reply.topic),
            orElse: messages.response(fallback, to: reply, on: reply.usualTopic), holding: reply.held,
            completion: reply.completion)
    }
}
