internal import Codec
internal import Configuration
internal import EventLoop
internal import MQTT

/// The readings of one topic on their way to the broker, by the rules of `publish:`; lives on the loop.
final class Publication {
    // First what each reading touches: memory comes to the processor by the line (measured: README).
    private var client: Client
    /// The message that each reading goes out with, for its payload to be filled in.
    private var message: Message
    /// After what time a reading is no longer worth keeping; nil: never.
    private var expiry: Duration?
    /// The reading that waits for its turn, and the timer that gives it.
    private var delayed: Timer?
    /// The last reading that was published, and when.
    private var published: Published?
    /// What came after it, and was not published.
    private var held: ReceivedReading?
    private let rules: Configuration.PublishRules
    private var gate: PublishGate

    /// The characteristic or quantity that it is of.
    let name: String
    private let qos: Int?
    private let loop: EventLoop
    /// Silence of a device that is there means that nothing changed; of one that is not, nothing.
    var isDeviceAvailable = false
    /// Publishes the last reading again when nothing has been published for long enough.
    private var heartbeat: Timer?

    private struct Published {
        let reading: ReceivedReading
        let time: Instant
    }

    /// - Throws: `TopicError` when the names cannot be part of a topic.
    init(
        _ name: String, of device: String, isRetained: Bool, qos: Int? = nil, _ rules: Configuration.PublishRules,
        _ outlet: Outlet, loop: EventLoop
    ) throws(TopicError) {
        self.name = name
        self.rules = rules
        self.loop = loop
        self.qos = qos
        client = outlet.client
        message = try outlet.template(name, of: device, isRetained: isRetained, qos: qos, rules.payload)
        gate = PublishGate(rules)
    }

    deinit { stop() }

    /// Publishes by another outlet from now on.
    func move(to outlet: Outlet, of device: String) throws(TopicError) {
        message = try outlet.template(name, of: device, isRetained: isRetained, qos: qos, rules.payload)
        client = outlet.client
    }

    /// Where the readings go.
    var topic: Topic { message.topic }
    /// Whether the broker keeps the last one for who comes later.
    var isRetained: Bool { message.isRetained }

    /// Publishes a reading, now, later or not at all.
    func take(_ received: ReceivedReading, expiry: Duration?, at now: Instant) {
        self.expiry = expiry
        switch gate.admit(received.reading.value, at: now) {
        case .publish: publish(received, at: now)
        case .drop: held = received
        case .delay(let duration):
            held = received
            // The newest of those that come meanwhile goes out when the time has come.
            guard delayed == nil else { return }
            delayed = loop.schedule(after: duration) { [unowned self] in
                delayed = nil
                releaseDelayed()
            }
        }
    }

    /// The last reading that came.
    private var latest: ReceivedReading? { held ?? published?.reading }

    private func releaseDelayed() {
        guard let latest else { return }
        let now = loop.now
        if gate.release(latest.reading.value, at: now) { publish(latest, at: now) }
    }

    private func publish(_ received: ReceivedReading, at now: Instant) {
        delayed?.cancel()
        delayed = nil
        published = Published(reading: received, time: now)
        // To overwrite nothing costs more than to see that there is nothing.
        if held != nil { held = nil }
        send(received, expiry: expiry)
        scheduleHeartbeat()
    }

    private func scheduleHeartbeat() {
        guard let interval = rules.atLeastEvery else { return }
        heartbeat?.cancel()
        heartbeat = loop.schedule(after: interval) { [unowned self] in
            // One that is gone may be back the next time, and have nothing new.
            guard isDeviceAvailable, let latest else { return scheduleHeartbeat() }
            let now = loop.now
            gate.repeated(at: now)
            publish(latest, at: now)
        }
    }

    private func send(_ received: ReceivedReading, expiry: Duration?) {
        if message.expiry != expiry { message.expiry = expiry }
        message.payload = received.payload(rules.payload)
        client.publish(message, keeping: isRetained ? .latest : .each)
        message.payload = []
    }

    /// Publishes once more what the broker should have kept, and may have lost.
    func republish() {
        guard isRetained, let published else { return }
        let rest = expiry.map { $0 - (loop.now - published.time) }
        if rest ?? .seconds(1) > .zero { send(published.reading, expiry: rest) }
    }

    /// Publishes nothing more by itself.
    func stop() {
        delayed?.cancel()
        heartbeat?.cancel()
    }
}

extension Outlet {
    /// A message of a device, without its payload.
    ///
    /// - Throws: `TopicError` when the names cannot be part of a topic.
    fileprivate func template(
        _ name: String, of device: String, isRetained: Bool, qos: Int?, _ payload: Configuration.PublishRules.Payload
    ) throws(TopicError) -> Message {
        Message(
            try topics.device(device, name),
            qualityOfService: qos.flatMap { QualityOfService(rawValue: Int32($0)) } ?? qualityOfService,
            isRetained: isRetained, properties: properties(contentType: payload.contentType))
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
