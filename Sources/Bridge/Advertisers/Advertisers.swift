import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
import Log
import MQTT
import System

/// Sends the advertisements of the section `advertisers`: passes the values of topics on to bluetoothd.
final class Advertisers: LoopPart {
    private struct Advertiser {
        let configuration: Configuration.Advertiser
        var values: SentValues
        /// Sends the values that have changed; nil: none has.
        var timer: Timer?
        /// The problem with a value that was logged last; empty: there is none.
        var problem = ""
        /// Why the values do not fit an advertisement; nil: they fit.
        var excess: String?
        /// The newest report of bluetoothd about the advertisement; nil: there is none.
        var report: AdvertisingState?
        /// The state that was reported last; nil: none was.
        var reported: AdvertiserStatus.State?
        /// Whether an event reports that the advertisement is not sent.
        var hasFailed = false

        var state: AdvertiserStatus.State {
            if let excess { return .failed(reason: excess) }
            guard values.data != nil else { return .waiting(reason: "no value has arrived") }
            return switch report {
            case .sending(let adapter)?: .sending(adapter: adapter)
            case .waiting(let reason)?: .waiting(reason: reason)
            case .failed(let reason)?: .failed(reason: reason)
            case nil: .waiting(reason: "bluetoothd has not accepted it yet")
            }
        }
    }

    /// The least time between two changes of an advertisement: each change is a signal to bluetoothd.
    private static let pace = Duration.seconds(1)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let log = Log("advertisers")
    private let problems = FailureLines()
    private var events = RateLimit.failures
    private var advertisers: [String: Advertiser] = [:]
    /// The topics of the values, to which the current client is subscribed.
    private var topics: Set<String> = []
    private var report: (GatewayEvent?) -> Void = { _ in }

    init(_ bluetooth: BluetoothLink, loop: EventLoop) {
        self.bluetooth = bluetooth
        self.loop = loop
    }

    /// Calls `handler` with each change of a state; the event is nil if the change begins or ends no failure.
    func onChange(_ handler: @escaping (GatewayEvent?) -> Void) {
        report = handler
    }

    /// The states of all advertisers, sorted by name.
    var status: [AdvertiserStatus] {
        advertisers.sorted { $0.key < $1.key }.map { AdvertiserStatus(name: $0.key, $0.value.state) }
    }

    /// Begins to send.
    func start(_ configuration: Configuration, _ publisher: Publisher) {
        let changed = handler { (part: Advertisers, change: (String, AdvertisingState)) in
            part.stateChanged(change.0, change.1)
        }
        bluetooth.onAdvertisingChange { changed(($0, $1)) }
        use(configuration, publisher)
    }

    /// Uses another configuration: advertisers that have not changed keep their values.
    func use(_ configuration: Configuration, _ publisher: Publisher) {
        let wanted = Dictionary(uniqueKeysWithValues: configuration.advertisers.map { ($0.name, $0) })
        for (name, advertiser) in advertisers where wanted[name] != advertiser.configuration {
            advertiser.timer?.cancel()
            advertisers[name] = nil
            if wanted[name] == nil { advertise(nil, as: name) }
        }
        let new = wanted.values.filter { advertisers[$0.name] == nil }
        for advertiser in new {
            advertisers[advertiser.name] = Advertiser(configuration: advertiser, values: SentValues(advertiser))
        }
        let topics: Set<String> = wanted.values.reduce(into: []) { $0.formUnion($1.topics) }
        for topic in self.topics.subtracting(topics) {
            if let filter = try? TopicFilter(topic) { publisher.client.unsubscribe(from: filter) }
        }
        // A new subscription to a topic makes the broker send its retained message again.
        let renewed: Set<String> = new.reduce(into: []) { $0.formUnion($1.topics) }
        subscribe(to: topics.subtracting(self.topics).union(renewed), publisher)
        self.topics = topics
        for advertiser in new { send(advertiser.name) }
    }

    /// Subscribes to all topics with another client.
    func move(to publisher: Publisher) {
        subscribe(to: topics, publisher)
    }

    private func subscribe(to topics: Set<String>, _ publisher: Publisher) {
        for topic in topics.sorted() {
            if let filter = try? TopicFilter(topic) { publisher.client.subscribe(to: filter) }
        }
    }

    func stop() {
        for advertiser in advertisers.values { advertiser.timer?.cancel() }
        advertisers = [:]
    }

    // MARK: Values

    /// Receives a message, if its topic has a value.
    func receive(_ message: Message) {
        guard !topics.isEmpty else { return }
        let topic = message.topic.description
        guard topics.contains(topic) else { return }
        for (name, advertiser) in advertisers where advertiser.configuration.topics.contains(topic) {
            let problems = advertisers[name]?.values.receive(message.payload, on: topic, at: loop.now) ?? []
            note(problems.joined(separator: "; "), of: name)
            schedule(name, in: .zero)
        }
    }

    /// Sends the values of an advertiser after a time, together with further changes until then.
    private func schedule(_ name: String, in delay: Duration) {
        guard advertisers[name] != nil, advertisers[name]?.timer == nil else { return }
        advertisers[name]?.timer = after(delay) { part in
            part.advertisers[name]?.timer = nil
            part.send(name)
        }
    }

    private func send(_ name: String) {
        guard let configuration = advertisers[name]?.configuration else { return }
        defer { reportState(of: name) }
        do throws(InvalidValue) {
            guard try advertisers[name]?.values.encode(at: loop.now) == true else { return expire(name) }
            advertisers[name]?.excess = nil
        } catch {
            note("\(error)", of: name)
            advertisers[name]?.excess = "\(error)"
        }
        let advertisement = advertisers[name]?.values.data.map { data in
            OutgoingAdvertisement(
                through: configuration.adapter, localName: configuration.localName, interval: configuration.interval,
                serviceData: [BTHomePacket.service: data])
        }
        if advertisement == nil { advertisers[name]?.report = nil }
        advertise(advertisement, as: name)
        // Further changes wait.
        schedule(name, in: Self.pace)
    }

    /// Waits until a value is too old.
    private func expire(_ name: String) {
        guard let time = advertisers[name]?.values.nextExpiry(after: loop.now) else { return }
        schedule(name, in: time - loop.now)
    }

    private func advertise(_ advertisement: OutgoingAdvertisement?, as name: String) {
        bluetooth.advertise(advertisement, as: name)
    }

    // MARK: Problems

    private func note(_ problem: String, of name: String) {
        guard let advertiser = advertisers[name], advertiser.problem != problem else { return }
        advertisers[name]?.problem = problem
        if !problem.isEmpty, let line = problems.line("\(name): \(problem)", at: loop.now) { log.warning(line) }
    }

    private func stateChanged(_ name: String, _ state: AdvertisingState) {
        switch state {
        case .sending(let adapter): log.info("\(name): \(adapter) sends the advertisement")
        case .waiting(let reason): log.info("\(name): not sent: \(reason)")
        case .failed(let reason): log.warning("\(name): not sent: \(reason)")
        }
        advertisers[name]?.report = state
        reportState(of: name)
    }

    /// Reports the state of an advertiser if it has changed.
    private func reportState(of name: String) {
        guard let advertiser = advertisers[name], advertiser.reported != advertiser.state else { return }
        advertisers[name]?.reported = advertiser.state
        switch advertiser.state {
        case .failed(let reason) where !advertiser.hasFailed && events.admit(at: loop.now):
            advertisers[name]?.hasFailed = true
            report(.advertiserFailed(name, reason: reason))
        case .sending(let adapter) where advertiser.hasFailed:
            advertisers[name]?.hasFailed = false
            report(.advertiserRecovered(name, adapter: adapter))
        default: report(nil)
        }
    }
}
