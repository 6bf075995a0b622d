import BlueZ
import Configuration
import Contract
import EventLoop
import HomeAssistant
import JSON
import Log
import MQTT
import System

/// Publishes Home Assistant's discovery, and clears retained topics that are no longer used.
final class DiscoveryAnnouncer: LoopPart {
    /// The delay before the discovery is updated after a device has reported its identity, so that the devices that are
    /// identified at the start share one update.
    private static let settleDelay = Duration.seconds(2)

    /// The delay before the discovery of a former device is cleared and the delay before its other topics are cleared, in
    /// which Home Assistant handles the removal notice and removes the entities.
    private static let clearDelay = Duration.seconds(2)

    let loop: EventLoop
    private let broker: BrokerLink
    private let fleet: Fleet
    private let version: String
    private let log = Log("gateway")
    private var retained: RetainedTopicsStore
    /// The hash values of the payloads published since the last connection to the broker, by topic.
    private var published: [Topic: Int] = [:]
    private var removalNotices = RemovalNotices()
    /// The timer that publishes everything again after Home Assistant has started.
    private var birthTimer: Timer?
    private var settleTimer: Timer?
    /// The timer that publishes the discovery of shared devices whose owner has changed.
    private var ownersTimer: Timer?
    private var changedOwners: Set<String> = []
    /// The timer that clears the topics of former devices.
    private var clearTimer: Timer?
    private var homeAssistantStarted: () -> Void = {}
    /// The topics of removed devices that were shared, by name, until it is clear whether another gateway owns them.
    private var formerShared: [String: [Topic]] = [:]
    /// The delay before these topics are cleared: another gateway would have become the owner long before.
    private static let takeoverTime = Duration.seconds(10)
    private var isOwnedElsewhere: (String) -> Bool = { _ in false }

    init(
        version: String, fleet: Fleet, broker: BrokerLink, stateFolder: String, host: HostMonitor, loop: EventLoop
    ) {
        self.version = version
        self.fleet = fleet
        self.broker = broker
        self.loop = loop
        retained = RetainedTopicsStore(in: stateFolder, observer: host.stateObserver)
    }

    func stop() {
        birthTimer?.cancel()
        settleTimer?.cancel()
        ownersTimer?.cancel()
        clearTimer?.cancel()
        clearTimer = nil
    }

    private var publisher: Publisher? { broker.publisher }
    private var configuration: Configuration { fleet.configuration }

    // MARK: Shared devices

    /// Shares devices with other gateways: `isOwnedElsewhere` returns whether another one owns a device by now.
    ///
    /// Only the owner publishes the discovery of a shared device, and no gateway clears its topics while another one owns it.
    func share(_ isOwnedElsewhere: @escaping (String) -> Bool) {
        self.isOwnedElsewhere = isOwnedElsewhere
    }

    /// Removes shared devices from the store, which is for topics that only this gateway publishes.
    ///
    /// They are there if the devices were not shared before.
    private func forgetShared(_ publisher: Publisher) {
        var topics = retained.topics
        for device in fleet.devices.values where device.enter({ $0.isShared }) {
            let own = device.enter { $0.retainedTopics }.map(\.description)
            guard !topics.own.isDisjoint(with: own) else { continue }
            topics.forget(own)
            for message in messages(of: device, publisher) { topics.forgetDiscovery(on: "\(message.topic)") }
        }
        retained.save(topics)
    }

    /// Publishes the discovery of the shared devices that this gateway owns, and returns its topics.
    ///
    /// Without the discovery of another owner in between, an unchanged message is not published again.
    private func publishShared(_ publisher: Publisher) -> Set<Topic> {
        var topics: Set<Topic> = []
        for (_, device) in fleet.devices.sorted(by: { $0.key < $1.key })
        where device.enter({ $0.isShared && $0.isPublished }) {
            for message in messages(of: device, publisher) {
                publish(message, publisher)
                topics.insert(message.topic)
            }
        }
        return topics
    }

    /// Publishes the discovery of a shared device in the next turn of the loop if this gateway has become its owner.
    ///
    /// Until then the entities depend on the state of the former owner. With nil, publishes what has changed in the meantime.
    func ownerChanged(of name: String?) {
        guard let name else { return settleSoon() }
        changedOwners.insert(name)
        guard ownersTimer == nil else { return }
        ownersTimer = after(.zero) { $0.publishChangedOwners() }
    }

    private func publishChangedOwners() {
        ownersTimer = nil
        let names = changedOwners
        changedOwners = []
        guard let publisher, publisher.client.isConnected else { return }
        for device in names.sorted().compactMap({ fleet.devices[$0] }) {
            let isPublished = device.enter { $0.isPublished }
            for message in messages(of: device, publisher) {
                published[message.topic] = nil
                if isPublished { publish(message, publisher) }
            }
        }
    }

    /// Clears the topics of a removed device that was shared, unless another gateway owns it.
    private func clearFormerShared(_ name: String) {
        if fleet.isSettling {
            after(Self.takeoverTime) { $0.clearFormerShared(name) }
            return
        }
        let topics = formerShared.removeValue(forKey: name) ?? []
        guard let publisher, publisher.client.isConnected, !isOwnedElsewhere(name) else { return }
        let used = fleet.devices.values.flatMap { device in
            device.enter { $0.retainedTopics } + messages(of: device, publisher).map(\.topic)
        }
        for topic in Set(topics).subtracting(used).sorted(by: { "\($0)" < "\($1)" }) { publisher.clear("\(topic)") }
    }

    /// Whether the configuration demands a discovery.
    private var isAnnouncing: Bool { configuration.homeAssistant.discovery != .none }

    private func messages(of device: Device, _ publisher: Publisher) -> [DiscoveryMessage] {
        guard isAnnouncing else { return [] }
        let origin = Discovery.origin(version: version)
        return (try? discovery(of: device, publisher).messages(configuration.homeAssistant, origin: origin)) ?? []
    }

    // MARK: Settling

    /// Publishes the discovery of the gateway and all devices again, including unchanged messages.
    func republish() {
        published = [:]
        settle()
    }

    /// Publishes new and changed discovery messages, and clears retained topics of an earlier configuration or run.
    ///
    /// Does nothing without a connection to the broker: everything is published after the next connection. It waits for a
    /// change of the fleet that is under way, in which devices are missing: the gateway calls it again afterwards.
    func settle() {
        guard let publisher, publisher.client.isConnected, !fleet.isSettling else { return }
        forgetShared(publisher)
        var before = retained.topics
        let messages = discoveryMessages(publisher)
        let now = RetainedTopics(own: ownTopics(publisher), discovery: messages)
        for topic in before.migrating(to: now) {
            publish(["migrate_discovery": true], on: topic, publisher)
            // Cleared before the new message: Home Assistant logs a warning for each entity that it has found on another
            // topic.
            publisher.clear(topic)
            before.forgetDiscovery(on: topic)
        }
        for message in messages {
            finishRemoval(of: message.topic, publisher)
            let gone = message.gone(from: before.discovery["\(message.topic)"] ?? [:])
            if !gone.isEmpty {
                publish(message.removing(gone).payload, on: "\(message.topic)", publisher)
                published[message.topic] = nil
            }
            publish(message, publisher)
        }
        let shared = publishShared(publisher)
        published = published.filter { now.discovery["\($0.key)"] != nil || shared.contains($0.key) }
        clear(before, now, publisher)
    }

    /// Removes former devices, and stores the topics that the broker retains until then.
    ///
    /// Home Assistant logs an error for each entity whose state becomes empty, so the own topics are cleared when it has
    /// removed the entities. Without discovery there is no delay.
    private func clear(_ before: RetainedTopics, _ now: RetainedTopics, _ publisher: Publisher) {
        var kept = now
        for topic in before.goneDiscovery(in: now) {
            if let notice = removalNotices.begin(topic, before.discovery[topic] ?? [:]) {
                publish(notice, on: topic, publisher)
                // Home Assistant gets the whole delay for each notice.
                clearTimer?.cancel()
                clearTimer = nil
            }
            if removalNotices.isUnderWay(topic) {
                kept.keepDiscovery(on: topic, of: before)
            } else {
                publisher.clear(topic)
            }
        }
        let gone = before.own.subtracting(now.own)
        if isAnnouncing {
            kept.keep(gone)
        } else {
            for topic in gone.sorted() { publisher.clear(topic) }
        }
        retained.save(kept)
        if kept != now, clearTimer == nil { clearTimer = after(Self.clearDelay) { $0.clearFormerTopics() } }
    }

    /// Clears the discovery of former devices; after a further delay, clears the own topics that no device uses any more.
    private func clearFormerTopics() {
        clearTimer = nil
        // `settle` starts the timer again.
        guard let publisher, publisher.client.isConnected, !fleet.isSettling else { return }
        var topics = retained.topics
        let ended = removalNotices.end()
        if !ended.isEmpty {
            for topic in ended {
                publisher.clear(topic)
                topics.forgetDiscovery(on: topic)
            }
            retained.save(topics)
            clearTimer = after(Self.clearDelay) { $0.clearFormerTopics() }
            return
        }
        let used = ownTopics(publisher)
        let unused = topics.own.subtracting(used)
        for topic in unused.sorted() { publisher.clear(topic) }
        topics.forget(unused)
        topics.keep(used)
        retained.save(topics)
    }

    /// Removes a former device at once, because a device with the same address was added.
    private func finishRemoval(of topic: Topic, _ publisher: Publisher) {
        guard removalNotices.cancel("\(topic)") else { return }
        publisher.publish(emptyOn: topic)
        published[topic] = nil
    }

    /// Schedules one call of `settle` for several changes.
    func settleSoon() {
        guard settleTimer == nil else { return }
        settleTimer = after(Self.settleDelay) { announcer in
            announcer.settleTimer = nil
            announcer.settle()
        }
    }

    /// Publishes the discovery of one device again, because the device has reported its identity.
    func identityChanged(of device: Device) {
        // A renamed or removed device has no discovery under this name.
        guard let publisher, publisher.client.isConnected, fleet.devices[device.name] === device,
            device.enter({ $0.isPublished })
        else { return }
        let messages = messages(of: device, publisher)
        for message in messages { publish(message, publisher) }
        if device.enter({ $0.isShared }) { return }
        // `settle` examines all devices, so it runs only if the entities of this device are not those of its last run.
        let before = retained.topics.discovery
        if messages.contains(where: { before["\($0.topic)"] != $0.platforms }) { settleSoon() }
    }

    /// Publishes a message unless it was published since the last connection.
    private func publish(_ message: DiscoveryMessage, _ publisher: Publisher) {
        let payload = JSON.object(message.payload)
        let fingerprint = payload.description.hashValue
        guard published.updateValue(fingerprint, forKey: message.topic) != fingerprint else { return }
        publisher.publish(state: payload, on: message.topic)
    }

    /// Publishes a message on a topic; a later message on the same topic does not replace it in the queue.
    private func publish(_ payload: JSON.Object, on topic: String, _ publisher: Publisher) {
        if let topic = try? Topic(topic) { publisher.publish(each: .object(payload), on: topic) }
    }

    private func discoveryMessages(_ publisher: Publisher) -> [DiscoveryMessage] {
        guard isAnnouncing else { return [] }
        let configuration = configuration
        let settings = configuration.homeAssistant
        let origin = Discovery.origin(version: version)
        do throws(TopicError) {
            let gateway = Discovery(gateway: configuration.gateway, version: version, publisher.topics)
            var messages = try gateway.messages(settings, origin: origin)
            for (_, device) in fleet.devices.sorted(by: { $0.key < $1.key }) where !device.enter({ $0.isShared }) {
                messages += try discovery(of: device, publisher).messages(settings, origin: origin)
            }
            return messages
        } catch {
            log.error("cannot publish the discovery for Home Assistant: \(error)")
            return []
        }
    }

    private func discovery(of device: Device, _ publisher: Publisher) throws(TopicError) -> Discovery {
        let (identity, formats, advertised, numbers) = device.enter {
            ($0.identity, $0.describedFormats, $0.advertised.quantities, $0.seriesNumbers)
        }
        return try Discovery(
            fleet.configuration(of: device), identity, formats: formats, advertised: advertised, numbers: numbers,
            publisher.topics, gateway: configuration.gateway)
    }

    private func ownTopics(_ publisher: Publisher) -> Set<String> {
        let devices = fleet.devices.values.flatMap { $0.enter { $0.isShared ? [] : $0.retainedTopics } }
        return Set((publisher.topics.retained + devices).map(\.description))
    }

    // MARK: Retained topics

    /// Stores the topics on which the broker retains messages of devices that stop, or will retain queued ones.
    func willStop(_ devices: [Device]) {
        retained.add(devices.flatMap { $0.enter { $0.isShared ? [] : $0.retainedTopics } })
        guard let publisher else { return }
        for device in devices where device.enter({ $0.isShared && $0.isPublished }) {
            let name = device.name
            formerShared[name] = device.enter { $0.retainedTopics } + messages(of: device, publisher).map(\.topic)
            after(Self.takeoverTime) { $0.clearFormerShared(name) }
        }
    }

    /// Clears all retained topics at the former broker.
    func clearAll(at former: Publisher) {
        for topic in retained.topics.gone(in: RetainedTopics()) { former.clear(topic) }
        retained.save(RetainedTopics())
    }

    // MARK: Home Assistant's status

    /// Calls `body` 0.1 to 1 s after Home Assistant has started.
    func onHomeAssistantStart(_ body: @escaping () -> Void) {
        homeAssistantStarted = body
    }

    /// Returns whether a message on Home Assistant's status topic reports a start.
    ///
    /// A retained message is older than the subscription, and the gateway publishes everything after each connection.
    static func reportsStart(_ message: Message) -> Bool { message.text == "online" && !message.isRetained }

    /// Handles a message on Home Assistant's status topic; after `online` the gateway publishes everything again.
    func receivedStatus(_ message: Message) {
        guard Self.reportsStart(message) else { return }
        // Other publishers react to the same message; the random delay spreads the load.
        birthTimer?.cancel()
        birthTimer = after(.milliseconds(Int.random(in: 100...1000))) { announcer in
            announcer.log.info("Home Assistant has started: publishing everything again")
            announcer.homeAssistantStarted()
        }
    }
}
