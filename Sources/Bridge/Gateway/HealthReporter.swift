import Devices
import Contract
import BlueZ
import EventLoop
import JSON
import Log
import MQTT
import System

/// Publishes the gateway's health once a minute and the use of the adapters when it changes, and stores the known
/// peripherals.
final class HealthReporter: LoopPart {
    private static let interval = Duration.seconds(60)
    /// The delay before a change of the connections is published and stored; it limits the number of messages, and of
    /// writes to a memory card.
    private static let connectionsDelay = Duration.seconds(5)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let broker: BrokerLink
    private let fleet: Fleet
    private let host: HostMonitor
    private var knownPeripherals: KnownPeripheralStore
    /// The timer that publishes the next report.
    private var timer: Timer?
    private var connectionsTimer: Timer?
    /// The connections of each adapter in the last message.
    private var publishedConnections: [JSON] = []
    /// The number of notifications at the last report, and its time.
    private var notifications: (count: Int, time: Instant)
    private var isStopping = false

    init(
        fleet: Fleet, bluetooth: BluetoothLink, broker: BrokerLink, stateFolder: String, host: HostMonitor,
        loop: EventLoop
    ) {
        self.fleet = fleet
        self.bluetooth = bluetooth
        self.broker = broker
        self.host = host
        self.loop = loop
        notifications = (0, loop.now)
        knownPeripherals = KnownPeripheralStore(in: stateFolder, observer: host.stateObserver)
    }

    func stop() {
        isStopping = true
        timer?.cancel()
        connectionsTimer?.cancel()
        host.stop()
    }

    /// Begins to watch the state folder and the file descriptors.
    func startMonitoring() {
        host.start()
    }

    // MARK: Health

    /// Publishes the health and the use of the adapters now, and the health again each minute.
    func publish() {
        publishHealth()
        publishAdapters()
    }

    private func publishHealth() {
        guard let publisher = broker.publisher else { return }
        if let topic = try? publisher.topics.bridge("health") {
            publisher.publish(state: health(publisher.client.statistics), on: topic)
        }
        timer?.cancel()
        timer = after(Self.interval) { $0.minutePassed() }
    }

    private func minutePassed() {
        publishHealth()
        storePeripherals()
        Log.reportRepeats()
        SpareMemory.release()
    }

    private func health(_ statistics: Client.Statistics) -> JSON {
        let usage = ProcessUsage.current
        let devices = fleet.devices.sorted { $0.key < $1.key }.map { name, device in
            (name, device.enter { $0.health })
        }
        return [
            "memory": .number(JSON.Number(usage.residentBytes)),
            "cpu_seconds": JSON.Number(usage.processorSeconds).map { .number($0) } ?? .null,
            "notifications_per_second": .number(verbatim: notificationRate()),
            "waiting": .number(JSON.Number(statistics.waiting)), "sent": .number(JSON.Number(statistics.sent)),
            "received": .number(JSON.Number(statistics.received)),
            "dropped": .number(JSON.Number(statistics.dropped)),
            "superseded": .number(JSON.Number(statistics.superseded)),
            "expired": .number(JSON.Number(statistics.expired)),
            "broker_connects": .number(JSON.Number(broker.connectCount)),
            "clock_synchronized": SystemClock.isSynchronized.map { .bool($0) } ?? .null,
            "adapters": .array(connections),
            "spool": broker.spooler.status,
            "devices": .object(JSON.Object(devices)), "time": .string(loop.timestamp.description),
        ]
    }

    /// Returns the notifications per second since the last report, with up to one decimal place.
    private func notificationRate() -> String {
        let count = fleet.devices.values.reduce(0) { $0 + $1.enter { $0.status.history.notifications } }
        let elapsed = loop.now - notifications.time
        // The count decreases when devices are removed.
        let difference = max(0, count - notifications.count)
        notifications = (count, loop.now)
        guard elapsed > .zero else { return "0" }
        return "\((Double(difference) / elapsed.inSeconds * 10).rounded() / 10)"
    }

    // MARK: Connections

    private func publishAdapters() {
        guard let publisher = broker.publisher,
            let topic = try? publisher.topics.bridge("adapters")
        else { return }
        publishedConnections = connections
        publisher.publish(
            state: ["adapters": .array(publishedConnections), "time": .string(loop.timestamp.description)], on: topic)
    }

    /// The connections in use of each adapter.
    private var connections: [JSON] {
        bluetooth.connectionUse.map { use in
            [
                "name": .string(use.adapter.name), "address": .string("\(use.adapter.address)"),
                "connections": .number(JSON.Number(use.connections)), "waiting": .number(JSON.Number(use.waiting)),
                "capacity": use.capacity.map { .number(JSON.Number($0)) } ?? .null,
            ]
        }
    }

    /// Schedules the storage and publication of the connections in use.
    func connectionsChanged() {
        guard connectionsTimer == nil, !isStopping else { return }
        connectionsTimer = after(Self.connectionsDelay) { $0.reportConnections() }
    }

    private func reportConnections() {
        connectionsTimer = nil
        storePeripherals()
        if connections != publishedConnections { publishAdapters() }
    }

    // MARK: Known peripherals

    /// Loads the peripherals that an earlier run has stored.
    func loadPeripherals() -> [KnownPeripheral] { knownPeripherals.load() }

    /// Stores the known peripherals; after a crash, the next run uses them to identify the connections of this run.
    ///
    /// - Parameter isLast: whether the gateway stops.
    func storePeripherals(isLast: Bool = false) {
        knownPeripherals.save(bluetooth.knownPeripherals, isLast: isLast)
    }
}
