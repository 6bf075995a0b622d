import Configuration
import Contract
import EventLoop
import Glibc
import Log
import MQTT
import System

/// The connection to the broker, which receives everything below the prefix.
final class BrokerFeed: LoopPart {
    /// The time without a retained message after which all of them have arrived.
    private static let silence = Duration.seconds(2)
    private static let closeTime = Duration.seconds(2)
    /// The longest payload: a gateway with 1,000 devices has one of 200 KB.
    private static let longestPayload = 1 << 20

    let loop: EventLoop
    private let log = Log("mqtt")
    private let broker: Configuration.Broker
    private let board: Board
    private let onResponse: (Message, _ topic: String) -> Void
    private var client: Client?
    private var isSubscribed = false
    private var silenceTimer: Timer?

    /// - Parameters:
    ///   - broker: The broker.
    ///   - board: Receives the messages.
    ///   - onResponse: Called with each message on a topic of requests and responses.
    init(
        _ broker: Configuration.Broker, _ board: Board, onResponse: @escaping (Message, _ topic: String) -> Void
    ) {
        loop = board.loop
        self.broker = broker
        self.board = board
        self.onResponse = onResponse
    }

    /// Starts to connect.
    ///
    /// - Throws: The error of settings that can never work.
    func start() throws {
        var settings = try Client.Settings(broker, identifier: "bluefleet-dashboard-\(Self.number(loop))")
        settings.maximumPacketSize = UInt32(Self.longestPayload)
        settings.maximumPayloadSize = Self.longestPayload
        let client = try Client(settings, on: loop, handler: handler { feed, event in feed.handle(event) })
        client.subscribe(to: try TopicFilter("\(broker.prefix)/#"))
        client.start()
        self.client = client
    }

    /// Two dashboards with the same identifier would disconnect each other.
    private static func number(_ loop: EventLoop) -> String {
        "\(getpid())-\(loop.timestamp.milliseconds % 1_000_000)"
    }

    func stop() async {
        await client?.close(within: Self.closeTime)
    }

    /// Whether requests can have MQTT 5 properties.
    var canCorrelate: Bool { broker.protocolVersion == .five }

    /// Publishes a request while there is a connection.
    ///
    /// - Parameters:
    ///   - topic: The topic without the prefix.
    ///   - payload: The payload.
    ///   - properties: The properties, without effect in MQTT 3.1.1.
    /// - Returns: Whether the message was sent.
    func publish(_ topic: String, _ payload: [UInt8], _ properties: Message.Properties) -> Bool {
        guard let client, client.isConnected, let topic = try? Topic("\(broker.prefix)/\(topic)") else { return false }
        client.publish(Message(topic, payload, properties: properties), policy: .whileConnected)
        return true
    }

    /// Returns a topic with the prefix; nil if it is not valid.
    func topic(_ name: String) -> Topic? { try? Topic("\(broker.prefix)/\(name)") }

    // MARK: Events

    /// The URL of the node to which the client is connected or connects.
    private var url: String { client.map { broker.nodes.url(of: $0) } ?? broker.nodes.url }

    private func handle(_ event: Client.Event) {
        switch event {
        case .received(let message): receive(message)
        case .connected:
            log.info("connected", ["broker": url])
            isSubscribed = false
            board.connected()
        case .subscribed:
            isSubscribed = true
            waitForSilence()
        case .subscriptionRefused(let filter, let reason, _):
            let advice = "allow the user to read it"
            log.error("\(url) denies the subscription to \(filter): \(reason): \(advice)")
        case .refused(let refusal, let delay):
            log.warning("login rejected: \(refusal)", ["broker": url, "retry_in": delay.text])
            ended()
        case .disconnected(let reason, _, let delay):
            log.warning("not connected: \(reason)", ["broker": url, "retry_in": delay.text])
            ended()
        case .cut(let length): log.warning("a message with \(length) bytes is too long")
        case .undeliverable(let message, let reason, _):
            log.warning("the broker does not accept \(message.topic): \(reason)")
        case .accessRefused(let access, let delay):
            log.warning("the broker closes the connection because of \(access.name)", ["retry_in": delay.text])
        case .postponed(let topic, let reason): log.warning("the broker rejects \(topic) for the moment: \(reason)")
        case .partlyDelivered(let reason): log.warning("messages do not reach all subscribers: \(reason)")
        case .accessGranted(let access): log.info("the broker accepts \(access.name) again")
        case .fellBehind, .caughtUp, .kept, .copied, .copiesEnded, .settled: break
        }
    }

    private func ended() {
        silenceTimer?.cancel()
        silenceTimer = nil
        board.disconnected()
    }

    private func receive(_ message: Message) {
        let topic = message.topic.description
        guard topic.utf8.count > broker.prefix.utf8.count, topic.hasPrefix("\(broker.prefix)/") else { return }
        let name = String(topic.dropFirst(broker.prefix.count + 1))
        if message.isRetained, isSubscribed { waitForSilence() }
        if Self.isResponse(name) {
            onResponse(message, name)
        } else {
            board.receive(message, name)
        }
    }

    private static func isResponse(_ topic: String) -> Bool {
        topic.split(separator: "/").contains { $0 == DeviceTopicGroup.response.rawValue }
    }

    private func waitForSilence() {
        silenceTimer?.cancel()
        silenceTimer = after(Self.silence) { feed in
            feed.silenceTimer = nil
            feed.isSubscribed = false
            feed.board.retainedMessagesEnded()
        }
    }
}
