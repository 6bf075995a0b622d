import Devices
import Contract
import BlueZ
import Bluetooth
package import Configuration
package import EventLoop
import JSON
import Log
import MQTT
import System

/// One running bridge between a fleet of Bluetooth LE devices and an MQTT broker.
///
/// The gateway creates its parts, connects them, and starts and stops them in order. Each part owns its state.
@safe package actor Gateway: LoopBound {
    /// The maximum duration of the start if the broker and the devices are reachable.
    private static let startTime = Duration.seconds(5)

    /// The time after the start in which each device should be seen.
    private static let searchTime = Duration.seconds(60)

    private static let stopReason = "the gateway has stopped"

    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    private let info: GatewayInfo
    private let log = Log("gateway")
    private let central: Central
    let broker: BrokerLink
    private let fleet: Fleet
    private let search: FleetSearch
    private let advertisements: AdvertisementRouter
    private let announcer: DiscoveryAnnouncer
    private let health: HealthReporter
    private let unmanaged: UnmanagedPeripherals
    /// The time limit for the end of all connections when the gateway stops.
    private let disconnectTime: Duration
    private let source: ConfigurationSource?
    private lazy var requests = makeRequestRouter()
    /// The reason for the state of Bluetooth; nil before its first report.
    private var bluetoothReason: String?
    private var isStopping = false

    /// - Parameters:
    ///   - configuration: the configuration to start with.
    ///   - bus: the address of the D-Bus with bluetoothd.
    ///   - version: the version that the gateway publishes.
    ///   - loop: the loop of all parts.
    ///   - disconnectTime: the time limit for the end of all connections when the gateway stops. Together with the time
    ///     limits of the following steps, it is half of `TimeoutStopSec` in the systemd unit.
    ///   - source: loads the configuration again, for the request `reload`; nil without a file.
    package init(
        configuration: Configuration, bus: String, version: String, loop: EventLoop,
        disconnectTime: Duration = .seconds(8),
        source: ConfigurationSource? = nil
    ) {
        let folder = configuration.stateDirectory
        self.source = source
        self.loop = loop
        self.disconnectTime = disconnectTime
        info = GatewayInfo(version: version, start: loop.now)
        central = Central(
            bus: bus, adapters: configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity,
            notifications: configuration.bluetooth.notifications.path, loop: loop)
        broker = BrokerLink(configuration, central: central, loop: loop)
        let host = HostMonitor(stateFolder: folder, loop: loop) { [weak broker] event in
            broker?.assumeIsolated { $0.publisher }?.publish(event, at: loop.timestamp)
        }
        fleet = Fleet(configuration, central: central, broker: broker, host: host, loop: loop)
        search = FleetSearch(fleet: fleet, central: central, broker: broker, loop: loop)
        advertisements = AdvertisementRouter(
            fleet: fleet, central: central, stateFolder: folder, host: host, loop: loop)
        announcer = DiscoveryAnnouncer(
            version: version, fleet: fleet, broker: broker, stateFolder: folder, host: host, loop: loop)
        health = HealthReporter(
            fleet: fleet, central: central, broker: broker, stateFolder: folder, host: host, loop: loop)
        unmanaged = UnmanagedPeripherals(fleet: fleet, central: central, broker: broker, loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    private func makeRequestRouter() -> RequestRouter {
        RequestRouter(fleet: fleet, unmanaged: unmanaged, broker: broker, loop: loop) {
            [weak self] () throws(RequestError) in
            guard let self else { throw RequestError(.failed, RequestRouter.stoppingReason) }
            return try await self.loadAgain()
        } backup: { [weak self] () throws(RequestError) in
            guard let self else { throw RequestError(.failed, RequestRouter.stoppingReason) }
            return await self.backup.json
        }
    }

    private var publisher: Publisher? { broker.assumeIsolated { $0.publisher } }
    private var configuration: Configuration { fleet.assumeIsolated { $0.configuration } }

    // MARK: Life

    /// Connects to the broker and to Bluetooth, and starts the devices.
    ///
    /// - Throws: `GatewayError` for a failure that no retry can fix: settings that the MQTT library rejects, or a secret
    ///   that cannot be read.
    package func start() async throws(GatewayError) {
        connectParts()
        let configuration = configuration
        logWarnings(of: configuration)
        let publisher = try await broker.open(configuration)
        loop.moderation = configuration.bluetooth.moderation
        await health.startMonitoring()
        let wanted = try await fleet.open(publisher, hooks)
        await requests.subscribe(publisher)
        publisher.client.start()
        await central.onStateChange { [weak self] state, reason in
            self?.assumeIsolated { $0.bluetoothChanged(state, reason) }
        }
        await central.onRepair { [weak self] repair, adapter, reason in
            self?.assumeIsolated { $0.repaired(repair, adapter, reason) }
        }
        await central.onLinkChange { [weak health] in health?.assumeIsolated { $0.connectionsChanged() } }
        let connected = wanted.filter(\.connect.isConnectedByItself)
        await central.restore(
            await health.loadPeripherals(), of: Set(wanted.map(\.address)), links: Set(connected.map(\.address)))
        await central.start()
        await fleet.startDevices()
        await advertisements.update()
        await search.start()
        await health.publish()
        await fleet.startChanges()
        loop.schedule(after: Self.startTime) { SpareMemory.release() }
        after(Self.searchTime) { $0.logMissingDevices() }
    }

    /// Ends all sessions, publishes that the gateway is offline, and closes all connections.
    package func stop() async {
        isStopping = true
        await requests.willStop()
        // The availability of every device becomes "offline" now.
        log.info("stopping: the devices are offline until the next start")
        await fleet.stop(because: Self.stopReason)
        await health.stop()
        await announcer.stop()
        await advertisements.stop()
        await search.stop()
        await fleet.stopChanges()
        await requests.stop(because: RequestRouter.stoppingReason)
        await central.disableRepairs()
        if await !fleet.stopDevices(within: disconnectTime, because: Self.stopReason) {
            log.warning("some connections did not end within \(disconnectTime.text): bluetoothd keeps them")
        }
        await health.storePeripherals(isLast: true)
        await central.close()
        await broker.close()
        log.info("stopped")
    }

    // MARK: Connecting the parts

    private func connectParts() {
        broker.assumeIsolated { broker in
            broker.onEvent { [weak self] in
                self?.assumeIsolated { $0.brokerConnected() }
            } received: { [weak self] message, origin in
                self?.assumeIsolated { $0.received(message, by: origin) }
            }
        }
        broker.spooler.assumeIsolated { spooler in
            spooler.onClockStep { [weak self] step in self?.assumeIsolated { $0.clockStepped(step) } }
        }
        announcer.assumeIsolated { announcer in
            announcer.onHomeAssistantStart { [weak self] in self?.assumeIsolated { $0.republish() } }
        }
        advertisements.assumeIsolated { [announcer] advertisements in
            advertisements.onQuantitiesStored { [weak announcer] in announcer?.assumeIsolated { $0.settle() } }
        }
    }

    private var hooks: Fleet.Hooks {
        Fleet.Hooks { [weak announcer, weak advertisements, weak fleet] device in
            guard let advertisements else { return }
            let address = device.configuration.address
            let (known, memory) = advertisements.assumeIsolated { ($0.quantities(of: address), $0.memory(of: address)) }
            device.assumeIsolated { device in
                device.use(
                    DeviceHooks { [weak announcer, weak device] in
                        if let device { announcer?.assumeIsolated { $0.identityChanged(of: device) } }
                    } name: { [weak fleet] address in
                        fleet?.assumeIsolated { $0.device(at: address)?.name }
                    } availabilityChanged: { [weak advertisements] in
                        advertisements?.assumeIsolated { $0.availabilityChanged() }
                    })
                if let memory { device.restoreStatus(memory) }
                device.listenToAdvertisements(known: known, memory) { [weak advertisements] in
                    advertisements?.assumeIsolated { $0.quantitiesChanged() }
                }
            }
        } willStop: { [weak announcer] devices in
            announcer?.assumeIsolated { $0.willStop(devices) }
        } didSettle: { [weak self] left in
            self?.assumeIsolated { $0.fleetSettled(left) }
        } allCleared: { [weak announcer] in
            await announcer?.allCleared()
        }
    }

    /// - Parameter left: the addresses of devices that were stopped.
    private func fleetSettled(_ left: [Address]) {
        for address in left { unmanaged.assumeIsolated { $0.forget(address) } }
        if let publisher { requests.assumeIsolated { $0.subscribe(publisher) } }
        advertisements.assumeIsolated { $0.update() }
        search.assumeIsolated { $0.examineAgain() }
        publishInfo()
        publishDevices()
        announcer.assumeIsolated { $0.settle() }
    }

    private func brokerConnected() {
        republish()
        health.assumeIsolated { $0.publish() }
        fleet.assumeIsolated { $0.republishReadings() }
    }

    /// Corrects the times that the broker retains and those that wait for it.
    func clockStepped(_ step: ClockStep) {
        publisher?.correctTimes(step)
        publishInfo()
        fleet.assumeIsolated { $0.correctTimes(step) }
    }

    private func received(_ message: Message, by origin: Publisher) {
        if message.topic == configuration.homeAssistantStatus, origin.number == publisher?.number {
            announcer.assumeIsolated { $0.receivedStatus(message) }
        } else {
            requests.assumeIsolated { $0.receive(message, by: origin) }
        }
    }

    // MARK: Bluetooth

    private func bluetoothChanged(_ state: ManagerState, _ reason: String) {
        let isOn = state == .poweredOn
        let isFirst = bluetoothReason == nil
        bluetoothReason = reason
        if isFirst { logSummary() }
        if isOn {
            log.info("Bluetooth: \(reason)")
        } else if !isStopping {
            let lost = state == .resetting ? central.assumeIsolated { $0.lostConnectionCount } : 0
            let loss = lost == 0 ? "" : ": \(lost) connection\(lost == 1 ? "" : "s") lost"
            log.always.warning("Bluetooth is not available: \(reason)\(loss)")
        }
        unmanaged.assumeIsolated { $0.bluetoothChanged(reason: reason) }
        // At a stop the gateway itself closes the connection to the bus.
        if !isStopping { publisher?.publish(.bluetooth(BluetoothState(state), reason: reason), at: loop.timestamp) }
        fleet.assumeIsolated { $0.bluetoothChanged(isOn: isOn, reason: reason) }
        if !isStopping { publishInfo() }
        // The first health message after the start may have been sent before the adapters were known.
        health.assumeIsolated { isFirst ? $0.publish() : $0.connectionsChanged() }
    }

    /// Logs what the gateway manages, once after the start.
    private func logSummary() {
        let (devices, rules) = fleet.assumeIsolated { ($0.devices.count, $0.configuration.fleet.count) }
        let adapters = central.assumeIsolated { $0.availableAdapters }.map(\.name)
        var fields = "\(devices) device\(devices == 1 ? "" : "s") configured"
        if rules > 0 { fields += ", \(rules) fleet rule\(rules == 1 ? "" : "s")" }
        fields += adapters.isEmpty ? ", no adapter yet" : ", adapters \(adapters.joined(separator: ", "))"
        log.info("\(fields), broker \(configuration.broker.endpoint.url)", ["version": info.version])
    }

    /// The number of names in the line about devices that were not seen.
    private static let mostNames = 20

    /// Logs which devices have not been seen since the start.
    private func logMissingDevices() {
        let names = fleet.assumeIsolated { $0.missingNames }
        guard !names.isEmpty, !isStopping, central.assumeIsolated({ $0.state }) == .poweredOn else { return }
        let rest = names.count - Self.mostNames
        let list = names.prefix(Self.mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        log.warning(
            "not seen within \(Self.searchTime.text) after the start: \(list)",
            ["advice": "are they switched on, in range, and not connected to another device?"])
    }

    private func repaired(_ repair: Repair, _ adapter: Adapter, _ reason: String) {
        var device: String?
        if case .removeDevice(let address) = repair {
            device = fleet.assumeIsolated { $0.devices.values.first { $0.configuration.address == address }?.name }
        }
        log.warning("\(adapter.name): \(reason)", ["repair": RepairStep(repair).name, "device": device ?? ""])
        publisher?.publish(
            .repair(RepairStep(repair), adapter: adapter.name, reason: reason, device: device), at: loop.timestamp)
    }

    // MARK: Status

    /// Publishes all retained messages except readings again, for a broker or clients that might not have them.
    private func republish() {
        publisher?.publishOnline()
        publishInfo()
        publishDevices()
        fleet.assumeIsolated { $0.republish() }
        announcer.assumeIsolated { $0.republish() }
    }

    private func publishInfo() {
        guard let publisher, let topic = try? publisher.topics.bridge("info") else { return }
        let json = info.json(
            central, bluetoothReason: bluetoothReason ?? "not started",
            deviceCount: fleet.assumeIsolated { $0.devices.count },
            at: loop.now, loop.timestamp)
        publisher.publish(state: json, on: topic)
    }

    private func publishDevices() {
        guard let publisher, let topic = try? publisher.topics.bridge("devices") else { return }
        publisher.publish(state: fleet.assumeIsolated { $0.list }, on: topic)
    }

    /// The state of the gateway in one line, for `systemctl status`.
    package var summary: String {
        let broker = publisher?.client.isConnected == true ? "broker connected" : "no connection to the broker"
        let devices = fleet.assumeIsolated({ $0.devices })
        let available = devices.values.count { $0.assumeIsolated { $0.status.availability?.isAvailable ?? false } }
        let fleet = devices.isEmpty ? "no devices" : "\(available) of \(devices.count) devices available"
        return "\(broker), \(fleet), Bluetooth: \(bluetoothReason ?? "not started")"
    }

    // MARK: Reload

    /// Uses another configuration, and returns when all differences have taken effect.
    package func reload(_ configuration: Configuration) async {
        await change { gateway in
            do throws(GatewayError) {
                _ = try await gateway.use(configuration)
            } catch {
                gateway.log.always.error("the old configuration stays in use: \(error)")
            }
        }
    }

    /// Loads the configuration file again, and returns when all differences have taken effect.
    ///
    /// If the file is not valid, its mistakes are logged, and the old configuration stays in use.
    package func reload() async {
        await change { _ = try? await $0.loadAgain() }
    }

    private func change(_ body: @escaping @Sendable (isolated Gateway) async -> Void) async {
        await withCheckedContinuation { continuation in
            fleet.change { [self] in
                await body(self)
                continuation.resume()
            }
        }
    }

    /// Loads the configuration file again; a file with mistakes changes nothing.
    private func loadAgain() async throws(RequestError) -> JSON {
        guard let source else {
            throw RequestError(.notSupported, "this gateway has no configuration file")
        }
        do {
            let configuration = try source.load()
            let difference = try await use(configuration)
            log.info("reloaded the configuration")
            logWarnings(of: configuration)
            return difference.json
        } catch let error as ConfigurationError {
            for mistake in error.mistakes { log.always.error(mistake.description) }
            log.always.error("the old configuration stays in use")
            throw RequestError(.invalidValue, "the file has mistakes, and nothing was changed:\n\(error)")
        } catch {
            log.always.error("the old configuration stays in use: \(error)")
            throw RequestError(.failed, "nothing was changed: \(error)")
        }
    }

    private func logWarnings(of configuration: Configuration) {
        for warning in configuration.warnings { log.always.warning(warning.description) }
    }

    private var backup: Backup {
        Backup(
            version: info.version, gateway: configuration.gateway, files: source?.texts() ?? [:],
            folder: configuration.stateDirectory)
    }

    private func use(_ configuration: Configuration) async throws(GatewayError) -> FleetDifference {
        guard let publisher else { return FleetDifference() }
        let old = self.configuration
        // The steps that may fail come first, so that a failure changes nothing.
        let newPublisher =
            configuration.needsNewPublisher(after: old) ? try await broker.makePublisher(configuration) : nil
        await fleet.use(configuration)
        if configuration.logLevel != old.logLevel { Log.level = configuration.logLevel.level }
        warnOfRestart(configuration, old)
        if configuration.bluetooth != old.bluetooth {
            loop.moderation = configuration.bluetooth.moderation
            await central.use(configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity)
        }
        if configuration.fleet != old.fleet { await search.start() }
        if let newPublisher {
            await move(to: newPublisher, from: publisher, configuration)
        } else if configuration.homeAssistantStatus != old.homeAssistantStatus {
            if let status = old.homeAssistantStatus { publisher.client.unsubscribe(from: TopicFilter(status)) }
            if let status = configuration.homeAssistantStatus { publisher.client.subscribe(to: TopicFilter(status)) }
        }
        return await fleet.settle()
    }

    private func warnOfRestart(_ configuration: Configuration, _ old: Configuration) {
        if configuration.stateDirectory != old.stateDirectory {
            log.always.warning("state_directory: the change takes effect after a restart")
        }
        if configuration.bluetooth.notifications != old.bluetooth.notifications {
            // bluetoothd keeps subscriptions by signals until the program disconnects from the bus.
            log.always.warning("bluetooth: notify: the change takes effect after a restart")
        }
    }

    /// Uses another publisher from now on; the connections to the devices stay open.
    private func move(to new: Publisher, from old: Publisher, _ configuration: Configuration) async {
        await broker.replace(old, by: new, configuration)
        await requests.forgetSubscriptions()
        await fleet.move(to: new)
        if new.broker == old.broker {
            await broker.handOver(old)
        } else {
            leave(old)
        }
        await requests.subscribe(new)
        new.client.start()
    }

    /// Prepares the end of the connection to a broker: responds to pending requests, and removes the retained messages.
    private func leave(_ old: Publisher) {
        old.client.unsubscribeFromAll()
        requests.assumeIsolated { $0.failRequests(for: .work, because: RequestRouter.brokerChangeReason) }
        fleet.assumeIsolated { $0.failCommands(because: RequestRouter.brokerChangeReason) }
        old.publishOffline()
        announcer.assumeIsolated { $0.clearAll(at: old) }
        // The old client is closed by a later change, so that it can send the responses to this change and to earlier
        // changes.
        fleet.change { [broker] in await broker.close(former: old) }
    }
}

extension Configuration {
    /// Whether the gateway needs another client: for another broker, other settings, another name or another spool.
    fileprivate func needsNewPublisher(after old: Configuration) -> Bool {
        broker != old.broker || gateway != old.gateway || spool != old.spool
    }
}

extension Configuration.Adapters {
    /// The configured number of connections per adapter; nil: the gateway determines the number at run time.
    fileprivate var capacity: Int? {
        if case .perAdapter(let count) = connections { count } else { nil }
    }
}

extension Configuration.Adapters.Notifications {
    fileprivate var path: NotificationPath {
        switch self {
        case .automatic: .automatic
        case .signals: .signals
        case .descriptors: .descriptors
        }
    }
}
