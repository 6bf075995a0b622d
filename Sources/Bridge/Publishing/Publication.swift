import Codec
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import MQTT
import System

/// Publishes the readings of one topic according to the key `publish`; used only on the event loop's thread.
final class Publication {
    // The properties that are used for each reading come first, in few cache lines (measured:
    // Tests/Benchmark/README.md).
    private var client: Client
    /// The message for all readings; the payload is set only while a reading is sent.
    private var message: Message
    private var policy: QueuePolicy
    private let rules: Configuration.PublishRules
    /// Collects readings for an average; nil if single readings are published.
    private var window: AverageWindow?
    /// The timer that publishes the newest reading after a delay; nil if no reading is delayed.
    private var delayed: Timer?
    /// The time after which a reading expires; nil: never.
    private var expiry: Duration?
    /// The last published reading; nil before the first.
    private var published: Published?
    /// The newest reading after `published` that was not published; nil if there is none.
    private var held: ReceivedReading?
    private var gate: PublishGate

    /// The name of the characteristic or quantity.
    let name: String
    private let qos: Int?
    private let keep: Configuration.Keep?
    private let loop: EventLoop
    /// Whether the device is available.
    ///
    /// The heartbeat is suspended for an unavailable device: the device cannot report changes of the value.
    private(set) var isDeviceAvailable = false
    /// The timer that publishes the newest reading again after the time of `at_least_every`.
    private var heartbeat: Timer?
    /// The questions to the owner of a shared device; nil: the device is not shared with other gateways.
    private var sharing: (any Sharing)?

    /// The time between two attempts to publish a reading that must wait.
    private static let retry = Duration.seconds(1)

    /// The owner of a shared device, as its publications see it.
    protocol Sharing: AnyObject {
        /// Whether this gateway publishes the device now; asked before a reading is published that arrived earlier.
        var mayPublish: Bool { get }

        /// Keeps a message on the disk if the right to publish is in doubt.
        func keep(_ message: Message, _ arrival: Instant)
    }

    private struct Published {
        let reading: ReceivedReading
        let time: Instant
    }

    /// - Throws: `TopicError` if the names cannot be part of a topic.
    init(
        _ name: String, of device: String, isRetained: Bool, qos: Int? = nil, keep: Configuration.Keep? = nil,
        _ rules: Configuration.PublishRules, _ publisher: Publisher, loop: EventLoop
    ) throws(TopicError) {
        self.name = name
        self.rules = rules
        self.loop = loop
        self.qos = qos
        self.keep = keep
        policy = publisher.messages.policy(keep, isRetained: isRetained)
        client = publisher.client
        message = try publisher.messages.reading(
            name, of: device, isRetained: isRetained, qos: qos, rules.payload)
        gate = PublishGate(rules)
        openWindow()
    }

    private func openWindow() {
        guard let average = rules.average else { return }
        window = AverageWindow(average, loop: loop) { [unowned self] received in
            let now = loop.now
            if mayPublish { return admit(received, at: now) }
            if isKept, let message = admittedMessage(received, at: now) { sharing?.keep(message, now) }
        }
    }

    private var mayPublish: Bool { sharing?.mayPublish ?? true }

    deinit { stop() }

    /// Uses another publisher from now on.
    func move(to publisher: Publisher, of device: String) throws(TopicError) {
        message = try publisher.messages.reading(
            name, of: device, isRetained: isRetained, qos: qos, rules.payload)
        client = publisher.client
        policy = publisher.messages.policy(keep, isRetained: isRetained)
    }

    /// Shares the device with other gateways.
    func share(by sharing: any Sharing) {
        self.sharing = sharing
    }

    /// Forgets all readings: another gateway publishes newer ones from now on.
    func forget() {
        stop()
        (delayed, heartbeat, published, held) = (nil, nil, nil, nil)
        gate = PublishGate(rules)
        openWindow()
    }

    /// The topic of the readings.
    var topic: Topic { message.topic }
    /// Whether the broker retains the last reading.
    var isRetained: Bool { message.isRetained }

    /// Publishes a reading now, later or not at all, according to the rules of `publish`.
    func take(_ received: ReceivedReading, expiry: Duration?, at now: Instant) {
        self.expiry = expiry
        if let window { return window.add(received) }
        admit(received, at: now)
    }

    // MARK: Readings on the disk

    /// Whether readings that the broker does not accept wait on the disk.
    var isKept: Bool { policy.isKept }

    /// Returns the message of a reading that arrived while the right to publish was in doubt.
    ///
    /// The window of an average keeps its average at its end.
    ///
    /// - Returns: nil if the rules of `publish` leave the reading out.
    func messageToKeep(_ received: ReceivedReading, at arrival: Instant) -> Message? {
        guard let window else { return admittedMessage(received, at: arrival) }
        window.add(received)
        return nil
    }

    private func admittedMessage(_ received: ReceivedReading, at arrival: Instant) -> Message? {
        guard case .publish = gate.admit(received.reading, at: arrival) else { return nil }
        var kept = message
        kept.payload = received.payload(rules.payload)
        return kept
    }

    // MARK: Readings that are published

    private func admit(_ received: ReceivedReading, at now: Instant) {
        switch gate.admit(received.reading, at: now) {
        case .publish: publish(received, at: now)
        case .drop: held = received
        case .delay(let duration):
            held = received
            // The timer publishes the newest reading that arrives in the meantime.
            if delayed == nil { release(after: duration) }
        }
    }

    private func release(after duration: Duration) {
        delayed = loop.schedule(after: duration) { [unowned self] in
            delayed = nil
            releaseDelayed()
        }
    }

    /// The newest reading, published or not; nil before the first.
    private var latest: ReceivedReading? { held ?? published?.reading }

    /// The newest reading as a JSON number; nil if there is none, or if it is not a number.
    var number: JSON.Number? {
        guard case .value(let value, _)? = latest?.reading else { return nil }
        return JSON(value).number
    }

    private func releaseDelayed() {
        guard let latest else { return }
        guard mayPublish else { return release(after: Self.retry) }
        let now = loop.now
        if gate.release(latest.reading, at: now) { publish(latest, at: now) }
    }

    private func publish(_ received: ReceivedReading, at now: Instant) {
        delayed?.cancel()
        delayed = nil
        published = Published(reading: received, time: now)
        // The check is cheaper than an assignment of nil.
        if held != nil { held = nil }
        send(received, expiry: expiry, policy)
        scheduleHeartbeat()
    }

    private func scheduleHeartbeat() {
        guard let interval = rules.atLeastEvery else { return }
        heartbeat?.cancel()
        heartbeat = loop.schedule(after: interval) { [unowned self] in
            // A device that is not available now may be available at the next heartbeat.
            guard isDeviceAvailable, mayPublish, let latest else { return scheduleHeartbeat() }
            let now = loop.now
            gate.repeated(at: now)
            publish(latest, at: now)
        }
    }

    private func send(_ received: ReceivedReading, expiry: Duration?, _ policy: QueuePolicy) {
        if message.expiry != expiry { message.expiry = expiry }
        message.payload = received.payload(rules.payload)
        client.publish(message, policy: policy)
        message.payload = []
    }

    /// Publishes the last retained reading again, for a broker that may have lost it.
    func republish() {
        guard isRetained, mayPublish, let published else { return }
        let rest = expiry.map { $0 - (loop.now - published.time) }
        if rest ?? .seconds(1) > .zero { send(published.reading, expiry: rest, .latest) }
    }

    /// Corrects the times of the readings that can be published again.
    func correctTimes(_ step: ClockStep) {
        held = held?.corrected(step)
        published = published.map { Published(reading: $0.reading.corrected(step), time: $0.time) }
    }

    func deviceAvailabilityChanged(to isAvailable: Bool) {
        isDeviceAvailable = isAvailable
    }

    /// Publishes the average of an open window, and cancels the timers.
    func end() {
        window?.end()
        stop()
    }

    private func stop() {
        delayed?.cancel()
        heartbeat?.cancel()
    }
}
