import BlueZ
import Configuration
import Contract
import Devices
import EventLoop
import Log
import MQTT
import System

/// The gateway's connection to its broker, and former connections until they are closed.
final class BrokerLink: LoopPart {
    let loop: EventLoop
    private let log = Log("gateway")
    private let backpressure: Backpressure
    /// Stores the messages that wait for long.
    let spooler: Spooler
    private let lateNumbers = LateNumbers()
    /// Publishes to the broker of the configuration; nil before the start.
    private(set) var publisher: Publisher?
    /// The publishers that are being closed; requests that their clients receive are still answered.
    private var formerPublishers: [Publisher] = []
    private var publisherCount = 0
    /// How often the gateway has connected to a broker since it started.
    private(set) var connectCount = 0
    /// When the connection to the current broker began; nil: there is none.
    private var connectedAt: Instant?
    private var responseTopics = ResponseTopics(prefix: "", gateway: "", discoveryPrefix: nil)
    private var takeovers = TakeoverDetector()
    private var refused = RefusedAccesses()
    private var refusedEvents = RateLimit.failures
    /// Limits the lines of the log about refused messages: clients can choose topics for responses.
    private var refusedLines = RateLimit.failures
    /// The limits of the broker that change what clients receive.
    private var restrictions: [BrokerStatus.Restriction] = []
    private var unsentMessages: UnsentMessagesStore
    /// The number of messages of the last run that the broker has not accepted.
    private var unacceptedCount = 0
    /// Whether the gateway shares devices with other gateways.
    private let isShared: Bool
    private var connected: () -> Void = {}
    private var disconnected: () -> Void = {}
    private var received: (Message, _ origin: Publisher) -> Void = { _, _ in }

    init(_ configuration: Configuration, central: Central, loop: EventLoop) {
        self.loop = loop
        backpressure = Backpressure(central: central, loop: loop)
        spooler = Spooler(configuration, lateNumbers, loop: loop)
        isShared = configuration.share != nil
        unsentMessages = UnsentMessagesStore(in: configuration.stateDirectory)
    }

    /// Sets the closures to call after each connection to the current broker, after its end, and for each message of any
    /// broker.
    func onEvent(
        connected: @escaping () -> Void,
        disconnected: @escaping () -> Void,
        received: @escaping (Message, _ origin: Publisher) -> Void
    ) {
        self.connected = connected
        self.disconnected = disconnected
        self.received = received
    }

    // MARK: Life

    /// Creates the first publisher and queues the messages that the last run could not send; does not connect.
    ///
    /// - Throws: `GatewayError` for settings that the MQTT library rejects, or a secret that cannot be read.
    func open(_ configuration: Configuration) async throws(GatewayError) -> Publisher {
        let publisher = try makePublisher(configuration)
        use(publisher)
        await spooler.open(publisher)
        let messages = unsentMessages.take(for: publisher)
        unacceptedCount = messages.count
        for message in messages {
            publisher.publish(each: message, completion: handler { link, _ in link.accepted() })
        }
        return publisher
    }

    /// Publishes that the gateway is offline and disconnects; stores the messages that the broker has not accepted.
    func close() async {
        guard let publisher else { return }
        let unsent = await publisher.close()
        await spooler.close()
        // Responses are not stored: clients do not wait for a response until the next start.
        let messages = unsent.filter { $0.fallback == nil }.map(\.message)
        if !messages.isEmpty { unsentMessages.save(messages, for: publisher) }
    }

    /// The broker has accepted or rejected one of the messages of the last run.
    private func accepted() {
        unacceptedCount -= 1
        if unacceptedCount == 0, let publisher { unsentMessages.clear(for: publisher) }
    }

    /// How long data of a gateway that shares devices may hang in its connection: shorter than the silence after which
    /// another gateway owns its devices.
    private static let transmissionTimeout = Duration.seconds(2)

    // MARK: Another broker, or other settings

    /// Creates a publisher with the settings of a configuration; does not connect.
    ///
    /// - Throws: `GatewayError` for settings that the MQTT library rejects, or a secret that cannot be read.
    func makePublisher(_ configuration: Configuration) throws(GatewayError) -> Publisher {
        let broker = configuration.broker
        let discovery = configuration.homeAssistant
        responseTopics = ResponseTopics(
            prefix: broker.prefix, gateway: configuration.gateway,
            discoveryPrefix: discovery.discovery == .none ? nil : discovery.prefix)
        do {
            let start = isShared ? FleetStart() : nil
            var messages = MessageBuilder(
                topics: try Topics(prefix: broker.prefix, gateway: configuration.gateway),
                qualityOfService: QualityOfService(rawValue: Int32(broker.qos)) ?? .atLeastOnce,
                keep: configuration.spool.keep, storesEvents: configuration.spool.includesEvents,
                gateway: configuration.gateway)
            messages.start = start
            // With one identifier for each start, no process takes over the session of another one.
            let suffix = start.map { "-\($0.name)" } ?? ""
            var settings = try Client.Settings(broker, identifier: "bluefleet-\(configuration.gateway)\(suffix)")
            settings.will = messages.state(.offline)
            if let start {
                settings.willPayload = { [messages] in
                    start.nextConnection()
                    return messages.state(.offline).payload
                }
                settings.transmissionTimeout = Self.transmissionTimeout
                // A report of 2,000 devices is longer than any request.
                settings.maximumPayloadSize = FleetLimits.payload + 1
            }
            settings.keepAfter = configuration.spool.sync
            publisherCount += 1
            let number = publisherCount
            let client = try Client(settings, on: loop, handler: handler { $0.handle($1, from: number) })
            if let status = configuration.homeAssistantStatus { client.subscribe(to: TopicFilter(status)) }
            return Publisher(number: number, client: client, broker: broker.nodes, messages, lateNumbers)
        } catch {
            throw GatewayError("mqtt: \(error)")
        }
    }

    /// Uses another publisher from now on; messages are queued until the client of the new publisher is started.
    func replace(_ old: Publisher, by new: Publisher, _ configuration: Configuration) async {
        formerPublishers.append(old)
        (takeovers, refused, restrictions, connectedAt) = (TakeoverDetector(), RefusedAccesses(), [], nil)
        use(new)
        await spooler.use(configuration.spool, new)
    }

    private func use(_ publisher: Publisher) {
        self.publisher = publisher
        backpressure.use(publisher.client)
    }

    /// Closes a former connection to the same broker; the current publisher sends the remaining messages.
    func handOver(_ old: Publisher) async {
        let unsent = await old.close()
        forget(old)
        for unsent in unsent { publisher?.publish(unsent) }
    }

    /// Closes the connection to a former broker.
    func close(former old: Publisher) async {
        await old.closeSilently()
        forget(old)
    }

    private func forget(_ old: Publisher) {
        formerPublishers.removeAll { $0.number == old.number }
    }

    // MARK: Responses

    /// Returns whether the gateway publishes responses on a Response Topic of a request.
    ///
    /// - Parameters:
    ///   - topic: the Response Topic.
    ///   - isDevice: returns whether the gateway has a device with a name.
    /// - Returns: Whether the gateway publishes on the topic.
    func mayRespond(on topic: Topic, isDevice: (String) -> Bool) -> Bool {
        responseTopics.mayUse(topic, at: loop.now, isDevice: isDevice)
    }

    /// Returns a Response Topic for a response; whether the broker accepts the response is noted.
    func responseTopic(_ topic: Topic) -> ReplyAddress.ResponseTopic {
        ReplyAddress.ResponseTopic(
            topic: topic,
            completion: handler { link, isAccepted in
                if isAccepted { link.responseTopics.accept(topic) }
            })
    }

    // MARK: Events

    /// Handles an event of one of the clients.
    ///
    /// - Parameters:
    ///   - event: the event of the client.
    ///   - number: the number of the client's publisher; only received messages of a former publisher are handled.
    func handle(_ event: Client.Event, from number: Int) {
        if let publisher, publisher.number == number { return handle(event, from: publisher) }
        guard let former = formerPublishers.first(where: { $0.number == number }) else { return }
        switch event {
        case .received(let message): received(message, former)
        case .kept(let messages): spooler.keep(messages, of: former)
        case .copied(let messages): spooler.copy(messages, of: former)
        case .copiesEnded: spooler.copiesEnded(of: number)
        case .settled(let place): spooler.settled(place, of: number)
        default: break
        }
    }

    private func handle(_ event: Client.Event, from publisher: Publisher) {
        let url = publisher.node
        switch event {
        case .connected(_, let limits):
            connectCount += 1
            connectedAt = loop.now
            takeovers.connected(at: loop.now)
            log.info("connected to the broker at \(url)")
            use(limits, of: publisher)
            connected()
            spooler.connected()
        case .refused(let refusal, let delay):
            log.error("the broker at \(url) refuses the connection: \(refusal)", ["retry_in": delay.text])
        case .disconnected(let reason, let cause, let delay):
            let isTakeover = takeovers.disconnected(because: cause, at: loop.now)
            let hint = isTakeover ? "; another gateway may have the name \(publisher.messages.gateway)" : ""
            log.always.warning("no connection to the broker at \(url): \(reason)\(hint)", ["retry_in": delay.text])
            connectedAt = nil
            spooler.disconnected()
            disconnected()
        case .received(let message): received(message, publisher)
        case .cut(let length):
            log.warning(
                "the broker has sent a message of \(length) bytes: at most 1 MiB of it is read",
                ["remedy": "remove it from the broker if it is retained"])
        case .subscribed(let filter): refused.remove(.subscribe(filter))
        case .subscriptionRefused(let filter, let reason, let isTemporary):
            log.error("the broker refuses the subscription to \(filter): \(reason)")
            note(.subscribe(filter), refusedBecause: reason, isTemporary: isTemporary, publisher)
        case .postponed(let topic, let reason):
            guard !responseTopics.isForeign(topic) else { return }
            log.warning(
                "the broker rejects the messages on \(topic) for the moment: \(reason)",
                ["effect": "they are sent again", "remedy": "set publish_rate in mqtt if the broker limits messages"])
            note(.publish(topic), refusedBecause: reason, isTemporary: true, publisher)
        case .partlyDelivered(let reason):
            log.warning(
                "the broker delivers messages, but not to all subscribers: \(reason)",
                ["remedy": "start all nodes of the cluster"])
        case .accessRefused(let access, let delay): accessRefused(access, delay, publisher)
        case .accessGranted(let access):
            refused.remove(access)
            log.info("the broker accepts \(access.name) again")
            let event = GatewayEvent.brokerAccepted(.init(access), topic: access.name)
            publisher.publish(event, at: loop.timestamp)
        case .kept(let messages): spooler.keep(messages, of: publisher)
        case .copied(let messages): spooler.copy(messages, of: publisher)
        case .copiesEnded: spooler.copiesEnded(of: publisher.number)
        case .settled(let place): spooler.settled(place, of: publisher.number)
        case .fellBehind: backpressure.brokerFellBehind()
        case .caughtUp: backpressure.brokerCaughtUp()
        case .undeliverable(let message, let reason, isTemporary: true):
            logRefused("cannot publish on \(message.topic): \(reason): a message is lost")
        case .undeliverable(let message, let reason, _) where responseTopics.isForeign(message.topic):
            guard responseTopics.deny(message.topic, at: loop.now) else { return }
            log.warning(
                "the broker denies responses on \(message.topic): \(reason)",
                [
                    "effect": "they go to …/response/VERB",
                    "remedy": "choose a Response Topic that the gateway may write",
                ])
        case .undeliverable(let message, let reason, _):
            logRefused("cannot publish on \(message.topic): \(reason)")
            note(.publish(message.topic), refusedBecause: reason, publisher)
        }
    }

    // MARK: Refused topics and filters

    /// The refused topics and filters, for `health`.
    var status: BrokerStatus {
        var status = BrokerStatus()
        status.refused = Array(refused.list(at: loop.now).prefix(BrokerStatus.mostRefusals))
        if let statistics = publisher?.client.statistics {
            (status.held, status.rejected) = (statistics.held, statistics.rejected)
        }
        status.restrictions = restrictions
        // Calculated from the monotonic clock: the calendar can have been set since.
        status.connectedSince = connectedAt.map { begin in
            Timestamp(milliseconds: loop.timestamp.milliseconds - (loop.now - begin).nanoseconds / 1_000_000)
        }
        return status
    }

    /// Writes a line about each limit of the broker that has an effect, unless the last connection had the same limits.
    private func use(_ limits: BrokerLimits, of publisher: Publisher) {
        let before = restrictions
        restrictions = BrokerStatus.restrictions(limits, quality: publisher.messages.qualityOfService)
        guard restrictions != before else { return }
        for restriction in restrictions { log.warning("\(restriction.effect)", ["remedy": restriction.remedy]) }
    }

    /// Writes a line about a message that the broker does not accept, at the level debug if there were many.
    private func logRefused(_ text: String) {
        if refusedLines.admit(at: loop.now) { log.error(text) } else { log.debug(text) }
    }

    private func accessRefused(_ access: Access, _ delay: Duration, _ publisher: Publisher) {
        if case .publish(let topic) = access, responseTopics.isForeign(topic) { return }
        let action = access.isSubscription ? "subscribes to it" : "publishes on it"
        let reason = "the broker closes the connection when the gateway \(action)"
        log.error(
            "\(access.name): \(reason)",
            ["retry_in": delay.text, "remedy": "allow it in the access rules of the broker"])
        note(access, refusedBecause: reason, publisher)
    }

    /// Adds a topic or a filter to the list of `health`, and publishes an event if it is new there.
    private func note(
        _ access: Access, refusedBecause reason: String, isTemporary: Bool = false, _ publisher: Publisher
    ) {
        guard refused.note(access, because: reason, isTemporary: isTemporary, at: loop.now),
            refusedEvents.admit(at: loop.now)
        else { return }
        publisher.publish(.brokerRefused(.init(.init(access), access.name, reason: reason)), at: loop.timestamp)
    }
}
