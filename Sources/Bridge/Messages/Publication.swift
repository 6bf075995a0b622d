internal import Codec
internal import Configuration
internal import EventLoop
internal import MQTT

/// The readings of one topic on their way to the broker, by the rules of `publish:`; lives on the loop.
final class Publication {
    /// The characteristic or quantity that it is of.
    let name: String
    private(set) var topic: Topic
    let isRetained: Bool
    private let qos: Int?
    private let rules: Configuration.PublishRules
    private var outlet: Outlet
    /// What goes with each message.
    private var properties: Message.Properties
    private let loop: EventLoop
    private var gate: PublishGate
    /// Silence of a device that is there means that nothing changed; of one that is not, nothing.
    var isDeviceAvailable = false

    /// The last reading that came.
    private var latest: ReceivedReading?
    /// The last reading that was published, and when.
    private var published: (reading: ReceivedReading, time: Instant)?
    /// After what time a reading is no longer worth keeping; nil: never.
    private var expiry: Duration?
    /// The reading that waits for its turn, and the timer that gives it.
    private var delayed: Timer?
    /// Publishes the last reading again when nothing has been published for long enough.
    private var heartbeat: Timer?

    /// - Throws: `TopicError` when the names cannot be part of a topic.
    init(
        _ name: String, of device: String, isRetained: Bool, qos: Int? = nil, _ rules: Configuration.PublishRules,
        _ outlet: Outlet, loop: EventLoop
    ) throws(TopicError) {
        self.name = name
        self.isRetained = isRetained
        self.rules = rules
        self.outlet = outlet
        self.loop = loop
        self.qos = qos
        topic = try outlet.topics.device(device, name)
        properties = outlet.properties(contentType: rules.payload.contentType)
        gate = PublishGate(rules)
    }

    deinit { stop() }

    /// Publishes by another outlet from now on.
    func move(to outlet: Outlet, of device: String) throws(TopicError) {
        topic = try outlet.topics.device(device, name)
        self.outlet = outlet
        properties = outlet.properties(contentType: rules.payload.contentType)
    }

    /// Publishes a reading, now, later or not at all.
    func take(_ received: ReceivedReading, expiry: Duration?) {
        latest = received
        self.expiry = expiry
        switch gate.admit(received.reading.value, at: loop.now) {
        case .publish: publish(received)
        case .drop: break
        case .delay(let duration):
            // The newest of those that come meanwhile goes out when the time has come.
            guard delayed == nil else { return }
            delayed = loop.schedule(after: duration) { [unowned self] in
                delayed = nil
                releaseDelayed()
            }
        }
    }

    private func releaseDelayed() {
        guard let latest else { return }
        if gate.release(latest.reading.value, at: loop.now) { publish(latest) }
    }

    private func publish(_ received: ReceivedReading) {
        delayed?.cancel()
        delayed = nil
        published = (received, loop.now)
        send(received, expiry: expiry)
        guard let interval = rules.atLeastEvery else { return }
        heartbeat?.cancel()
        heartbeat = loop.schedule(after: interval) { [unowned self] in
            guard isDeviceAvailable, let latest else { return }
            gate.repeated(at: loop.now)
            publish(latest)
        }
    }

    private func send(_ received: ReceivedReading, expiry: Duration?) {
        properties.expiry = expiry
        let qualityOfService = qos.flatMap { QualityOfService(rawValue: Int32($0)) }
        let message = Message(
            topic, received.payload(rules.payload), qualityOfService: qualityOfService ?? outlet.qualityOfService,
            isRetained: isRetained, properties: properties)
        outlet.client.publish(message, keeping: isRetained ? .latest : .each)
    }

    /// Publishes once more what the broker should have kept, and may have lost.
    func republish() {
        guard isRetained, let (reading, time) = published else { return }
        let rest = expiry.map { $0 - (loop.now - time) }
        if rest ?? .seconds(1) > .zero { send(reading, expiry: rest) }
    }

    /// Publishes nothing more by itself.
    func stop() {
        delayed?.cancel()
        heartbeat?.cancel()
    }
}

extension Configuration.PublishRules.Payload {
    /// Its MIME type.
    fileprivate var contentType: String {
        switch self {
        case .json: "application/json"
        case .value: "text/plain"
        }
    }
}
