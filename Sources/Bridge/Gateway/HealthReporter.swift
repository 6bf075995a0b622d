import BlueZ
import Contract
import Devices
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
    /// The least time between two health messages because of changed connections.
    private static let healthPause = Duration.seconds(5)

    let loop: EventLoop
    private let bluetooth: BluetoothLink
    private let broker: BrokerLink
    private let fleet: Fleet
    private let sharing: DeviceSharing?
    private let advertisers: Advertisers
    private let host: HostMonitor
    private var knownPeripherals: KnownPeripheralStore
    /// The timer that publishes the next report.
    private var timer: Timer?
    private var connectionsTimer: Timer?
    /// The connections of each adapter in the last message.
    private var publishedConnections: [AdapterUse] = []
    /// When the health was last published.
    private var healthTime: Instant?
    /// The number of notifications at the last report, and its time.
    private var notifications: (count: Int, time: Instant)
    private var isStopping = false

    init(
        fleet: Fleet, bluetooth: BluetoothLink, broker: BrokerLink, sharing: DeviceSharing?, advertisers: Advertisers,
        stateFolder: String, host: HostMonitor, loop: EventLoop
    ) {
        self.fleet = fleet
        self.sharing = sharing
        self.advertisers = advertisers
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
        publisher.publish(health(publisher.client.statistics).json, on: .health)
        healthTime = loop.now
        timer?.cancel()
        timer = after(Self.interval) { $0.minutePassed() }
    }

    private func minutePassed() {
        publishHealth()
        storePeripherals()
        Log.reportRepeats()
        SpareMemory.release()
    }

    private func health(_ statistics: Client.Statistics) -> GatewayHealth {
        let usage = ProcessUsage.current
        return GatewayHealth(
            memory: usage.residentBytes, processorSeconds: usage.processorSeconds,
            notificationsPerSecond: notificationRate(), messages: GatewayHealth.Messages(statistics),
            brokerConnects: broker.connectCount, broker: broker.status, isClockSynchronized: SystemClock.isSynchronized,
            adapters: adapters, spool: broker.spooler.status, fleet: sharing?.health,
            advertisers: advertisers.status,
            devices: fleet.devices.mapValues { $0.enter { $0.health } }, time: loop.timestamp)
    }

    /// Returns the notifications per second since the last report, with up to one decimal place.
    private func notificationRate() -> JSON.Number {
        let count = fleet.devices.values.reduce(0) { $0 + $1.enter { $0.status.history.notifications } }
        let elapsed = loop.now - notifications.time
        // The count decreases when devices are removed.
        let difference = max(0, count - notifications.count)
        notifications = (count, loop.now)
        let none = JSON.Number(0)
        guard elapsed > .zero else { return none }
        return JSON.Number((Double(difference) / elapsed.inSeconds * 10).rounded() / 10) ?? none
    }

    // MARK: Connections

    private func publishAdapters() {
        guard let publisher = broker.publisher else { return }
        publishedConnections = connections
        let report = AdapterReport(adapters: publishedConnections, time: loop.timestamp)
        publisher.publish(report.json, on: .adapters)
    }

    /// The connections in use of each adapter.
    private var connections: [AdapterUse] { bluetooth.connectionUse.map { AdapterUse($0) } }

    /// The connections in use of each adapter, and the work of its radio.
    private var adapters: [AdapterUse] {
        bluetooth.connectionUse.map { AdapterUse($0, bluetooth.radioUse(of: $0.adapter)) }
    }

    /// Schedules the storage and publication of the connections in use.
    func connectionsChanged() {
        guard connectionsTimer == nil, !isStopping else { return }
        connectionsTimer = after(Self.connectionsDelay) { $0.reportConnections() }
    }

    private func reportConnections() {
        connectionsTimer = nil
        storePeripherals()
        guard connections != publishedConnections else { return }
        publishAdapters()
        publishSoon()
    }

    /// Publishes the health now, or after a pause since the last message.
    func publishSoon() {
        guard let healthTime, loop.now - healthTime < Self.healthPause else { return publishHealth() }
        timer?.cancel()
        timer = after(healthTime + Self.healthPause - loop.now) { $0.minutePassed() }
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

extension AdapterUse {
    fileprivate init(_ use: ConnectionUse, _ radio: RadioUse? = nil) {
        self.init(
            name: use.adapter.name, address: use.adapter.address, connections: use.connections, waiting: use.waiting,
            capacity: use.capacity,
            radio: radio.map { radio in
                AdapterUse.Radio(
                    advertisements: radio.advertisements, scanning: radio.scanning, connecting: radio.connecting)
            })
    }
}

extension GatewayHealth.Messages {
    fileprivate init(_ statistics: Client.Statistics) {
        self.init()
        waiting = statistics.waiting
        waitingBytes = statistics.waitingSize
        sent = statistics.sent
        received = statistics.received
        dropped = statistics.dropped
        superseded = statistics.superseded
        expired = statistics.expired
    }
}
