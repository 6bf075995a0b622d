import BlueZ
import Bluetooth
package import Configuration
import Contract
import Devices
package import EventLoop
import JSON
import Log
import MQTT
import Seat
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

    /// The reason for the state of Bluetooth of a gateway without Bluetooth.
    private static let decidingReason = "this gateway only decides for others"

    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    private let info: GatewayInfo.Source
    private let log = Log("gateway")
    private let central: Central
    private let bluetooth: BluetoothLink
    let broker: BrokerLink
    private let fleet: Fleet
    private let search: FleetSearch
    private let advertisements: AdvertisementRouter
    private let advertisers: Advertisers
    /// nil: the gateway shares no devices.
    private let sharing: DeviceSharing?
    private let questions: QuestionKeeper
    private let announcer: DiscoveryAnnouncer
    private let health: HealthReporter
    private let unmanaged: UnmanagedPeripherals
    /// How long the start of the devices waits for the state of Bluetooth.
    private static let stateTime = Duration.seconds(2)
    /// The time limit for the end of all connections when the gateway stops.
    private let disconnectTime: Duration
    /// Whether the gateway connects to bluetoothd; without it, it only decides for other gateways.
    private let hasBluetooth: Bool
    private let source: ConfigurationSource?
    private let requests: RequestRouter
    private var isStopping = false
    /// The timer that publishes the topic `devices`.
    private var devicesTimer: Timer?

    /// - Parameters:
    ///   - configuration: the configuration to start with.
    ///   - bus: the address of the D-Bus with bluetoothd.
    ///   - version: the version that the gateway publishes.
    ///   - loop: the loop of all parts.
    ///   - disconnectTime: the time limit for the end of all connections when the gateway stops. Together with the time
    ///     limits of the following steps, it is half of `TimeoutStopSec` in the systemd unit.
    ///   - hasBluetooth: whether the gateway connects to bluetoothd; a gateway that only decides for others does not.
    ///   - source: loads the configuration again, for the request `reload`; nil without a file.
    package init(
        configuration: Configuration, bus: String, version: String, loop: EventLoop,
        disconnectTime: Duration = .seconds(8), hasBluetooth: Bool = true,
        source: ConfigurationSource? = nil
    ) {
        let folder = configuration.stateDirectory
        self.source = source
        self.loop = loop
        self.disconnectTime = disconnectTime
        self.hasBluetooth = hasBluetooth
        info = GatewayInfo.Source(version: version, start: loop.now)
        central = Central(
            bus: bus, adapters: configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity,
            notifications: configuration.bluetooth.notifications.path, loop: loop)
        bluetooth = BluetoothLink(central)
        broker = BrokerLink(configuration, central: central, loop: loop)
        let host = HostMonitor(stateFolder: folder, loop: loop) { [weak broker] event in
            broker?.publisher?.publish(event, at: loop.timestamp)
        }
        fleet = Fleet(configuration, central: central, broker: broker, host: host, loop: loop)
        search = FleetSearch(fleet: fleet, bluetooth: bluetooth, broker: broker, loop: loop)
        advertisements = AdvertisementRouter(
            fleet: fleet, bluetooth: bluetooth, stateFolder: folder, host: host, loop: loop)
        advertisers = Advertisers(bluetooth, loop: loop)
        let sharing = configuration.share.map { [fleet] in
            DeviceSharing(
                $0, onlyDecides: !hasBluetooth, fleet: fleet, stateFolder: folder, host: host, loop: loop)
        }
        self.sharing = sharing
        questions = QuestionKeeper(fleet: fleet, stateFolder: folder, host: host, loop: loop)
        announcer = DiscoveryAnnouncer(
            version: version, fleet: fleet, broker: broker, stateFolder: folder, host: host, loop: loop)
        health = HealthReporter(
            fleet: fleet, bluetooth: bluetooth, broker: broker, sharing: sharing, advertisers: advertisers,
            stateFolder: folder, host: host, loop: loop)
        unmanaged = UnmanagedPeripherals(fleet: fleet, bluetooth: bluetooth, broker: broker, loop: loop)
        requests = RequestRouter(fleet: fleet, unmanaged: unmanaged, broker: broker, loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    var publisher: Publisher? { broker.publisher }
    private var configuration: Configuration { fleet.configuration }

    // MARK: Life

    /// Connects to the broker and to Bluetooth, and starts the devices.
    ///
    /// - Throws: `GatewayError` for a failure that no retry can fix: settings that the MQTT library rejects, or a secret
    ///   that cannot be read.
    package func start() async throws(GatewayError) {
        connectParts()
        let configuration = configuration
        if configuration.share?.seat != nil {
            do throws(SeatError) { try Seat.loadLibrary() } catch { throw GatewayError("\(error)") }
        }
        logWarnings(of: configuration)
        let publisher = try await broker.open(configuration)
        loop.moderation = configuration.bluetooth.moderation
        health.startMonitoring()
        let wanted = try fleet.open(publisher, hooks)
        requests.subscribe(publisher)
        advertisers.start(configuration, publisher)
        sharing?.begin(with: publisher)
        publisher.client.start()
        await central.onStateChange(handler { $0.bluetoothChanged($1, $2) })
        await central.onRepair(handler { $0.repaired($1, $2, $3) })
        await central.onLinkChange(handler { $0.connectionsChanged() })
        let connected = wanted.filter(\.connect.isConnectedByItself)
        await central.restore(
            health.loadPeripherals(), of: Set(wanted.map(\.address)), links: Set(connected.map(\.address)))
        if hasBluetooth {
            await central.start()
            // Otherwise all devices would be offline for a moment, because Bluetooth is not known to be on.
            await bluetooth.waitForState(atMost: Self.stateTime, on: loop)
        } else if bluetooth.changed(because: Self.decidingReason) {
            logSummary()
        }
        await fleet.startDevices()
        advertisements.update()
        search.start()
        health.publish()
        fleet.startChanges()
        loop.schedule(after: Self.startTime) { SpareMemory.release() }
        after(Self.searchTime) { $0.logMissingDevices() }
    }

    /// Ends all sessions, publishes that the gateway is offline, and closes all connections.
    package func stop() async {
        isStopping = true
        requests.willStop()
        // The availability of every device becomes "offline" now.
        log.info("stopping: the devices are offline until the next start")
        sharing?.passOn()
        fleet.stop(because: Self.stopReason)
        health.stop()
        announcer.stop()
        advertisements.stop()
        advertisers.stop()
        search.stop()
        devicesTimer?.cancel()
        fleet.stopChanges()
        requests.stop(because: RequestRouter.stoppingReason)
        await central.disableRepairs()
        if await !fleet.stopDevices(within: disconnectTime, because: Self.stopReason) {
            log.warning("some connections did not end within \(disconnectTime.text): bluetoothd keeps them")
        }
        sharing?.stop()
        questions.stop()
        health.storePeripherals(isLast: true)
        await central.close()
        await broker.close()
        log.info("stopped")
    }

    // MARK: Connecting the parts

    private func connectParts() {
        broker.onEvent(
            connected: handler { $0.brokerConnected() }, disconnected: handler { $0.sharing?.disconnected() },
            received: handler { $0.received($1, by: $2) })
        broker.spooler.onClockStep(handler { $0.clockStepped($1) })
        requests.onReload { [weak self] () throws(RequestError) in
            guard let self else { throw RequestError(.failed, RequestRouter.stoppingReason) }
            return try await self.loadAgain()
        } backup: { [weak self] () throws(RequestError) in
            guard let self else { throw RequestError(.failed, RequestRouter.stoppingReason) }
            return await self.backup.json
        }
        requests.onPermit { [weak search] duration throws(RequestError) in
            guard let search else { throw RequestError(.failed, RequestRouter.stoppingReason) }
            return try search.permit(for: duration)
        }
        if let sharing {
            requests.onFleet { [weak sharing] in sharing?.overview }
            requests.share(
                by: RequestRouter.Sharing { [weak sharing] in
                    sharing?.take($0, of: $1) ?? false
                } isOwnedElsewhere: { [weak sharing] in
                    sharing?.isOwnedElsewhere($0) ?? false
                })
            sharing.carryOutRequests(
                by: SharedRequests.Work { [weak requests] in
                    requests?.execute($0, of: $1, $2)
                } refuse: { [weak requests] in
                    requests?.refuse($0, of: $1, because: $2)
                })
            let spooler = broker.spooler
            sharing.keepReadings(
                on: LateDisk {
                    spooler.interval
                } keep: {
                    spooler.keep($0, of: $1)
                } resume: {
                    spooler.resume()
                })
            spooler.decide { [weak sharing] in sharing?.verdict(on: $0, $1) ?? .wait }
            advertisements.onSignal { [weak sharing] in sharing?.received($1, from: $0) }
            announcer.share { [weak sharing] in sharing?.isOwnedElsewhere($0) ?? false }
            sharing.onOwnerChange(announcer.handler { $0.ownerChanged(of: $1) })
            sharing.onAppearance(handler { $0.publishEverything() })
            // Otherwise `bluefleet doctor` would find no decider in the first minute.
            sharing.onDeciderChange(health.handler { $0.publishSoon() })
        }
        advertisers.onChange(handler { $0.advertiserChanged($1) })
        announcer.onHomeAssistantStart(handler { $0.publishEverything() })
        advertisements.onQuantitiesStored(announcer.handler { $0.settle() })
    }

    private func advertiserChanged(_ event: GatewayEvent?) {
        if let event { publisher?.publish(event, at: loop.timestamp) }
        health.publishSoon()
    }

    /// The calls of all devices: none of them needs closures of its own.
    private var deviceHooks: DeviceHooks {
        let listed = handler { (gateway: isolated Gateway) in gateway.publishDevicesSoon() }
        let advertised = advertisements.handler { $0.availabilityChanged() }
        let connected = sharing?.handler { (sharing: DeviceSharing, change: (device: String, ConnectionChange)) in
            sharing.connectionChanged(of: change.device, change.1)
        }
        return DeviceHooks(
            identityChanged: announcer.handler { $0.identityChanged(of: $1) },
            name: fleet.handler { $0.device(at: $1)?.name },
            availabilityChanged: {
                advertised()
                listed()
            },
            questionsProgressed: questions.handler { $0.progressed() },
            connectionChanged: { connected?(($0, $1)) })
    }

    private var hooks: Fleet.Hooks {
        let (deviceHooks, quantitiesChanged) = (deviceHooks, advertisements.handler { $0.quantitiesChanged() })
        return Fleet.Hooks { [weak advertisements, weak questions, weak sharing] device in
            guard let advertisements, let questions else { return }
            sharing?.prepare(device)
            let address = device.configuration.address
            let (known, memory) = (advertisements.quantities(of: address), advertisements.memory(of: address))
            let questionMemory = questions.memory(of: address)
            device.enter { device in
                device.use(deviceHooks)
                if let memory { device.restoreStatus(memory) }
                device.restore(questionMemory)
                device.listenToAdvertisements(known: known, memory, onNewQuantities: quantitiesChanged)
            }
        } willStop: { [weak announcer, weak questions] devices in
            announcer?.willStop(devices)
            questions?.willStop(devices)
        } didSettle: { [settled = handler { $0.fleetSettled($1) }] left in
            settled(left)
        }
    }

    /// - Parameter left: the addresses of devices that were stopped.
    private func fleetSettled(_ left: [Address]) {
        for address in left { unmanaged.forget(address) }
        questions.settled()
        if let publisher { requests.subscribe(publisher) }
        advertisements.update()
        sharing?.settle()
        search.examineAgain()
        publishInfo()
        publishDevicesSoon()
        announcer.settle()
    }

    private func brokerConnected() {
        guard let sharing else { return publishEverything() }
        sharing.connected()
    }

    /// Publishes all retained messages, for a broker or clients that might not have them.
    ///
    /// A process that does not have the name of its gateway publishes nothing.
    private func publishEverything() {
        guard let publisher, publisher.mayPublish else { return }
        publisher.publishOnline()
        publishInfo()
        publishDevices()
        fleet.republish()
        announcer.republish()
        health.publish()
        fleet.republishReadings()
    }

    /// Corrects the times that the broker retains and those that wait for it.
    func clockStepped(_ step: ClockStep) {
        publisher?.correctTimes(step)
        publishInfo()
        fleet.correctTimes(step)
        // The list of devices contains the times of their availabilities.
        publishDevices()
        health.publish()
    }

    private func received(_ message: Message, by origin: Publisher) {
        if origin.number == publisher?.number { advertisers.receive(message) }
        if message.topic == configuration.homeAssistantStatus, origin.number == publisher?.number {
            announcer.receivedStatus(message)
        } else if sharing?.receive(message, by: origin) != true {
            requests.receive(message, by: origin)
        }
    }

    // MARK: Bluetooth

    private func bluetoothChanged(_ state: ManagerState, _ reason: String) {
        let isOn = state == .poweredOn
        let isFirst = bluetooth.changed(because: reason)
        if isFirst { logSummary() }
        if isOn {
            log.info("Bluetooth: \(reason)")
        } else if !isStopping {
            let lost = state == .resetting ? bluetooth.lostConnectionCount : 0
            let loss = lost == 0 ? "" : ": \(lost) connection\(lost == 1 ? "" : "s") lost"
            log.always.warning("Bluetooth is not available: \(reason)\(loss)")
        }
        // At a stop the gateway itself closes the connection to the bus.
        if !isStopping { publisher?.publish(.bluetooth(BluetoothState(state), reason: reason), at: loop.timestamp) }
        fleet.bluetoothChanged(isOn: isOn, reason: reason)
        if !isStopping { publishInfo() }
        // The first health message after the start may have been sent before the adapters were known.
        isFirst ? health.publish() : connectionsChanged()
        sharing?.connectionsChanged(bluetooth.connectionUse)
    }

    private func connectionsChanged() {
        health.connectionsChanged()
        sharing?.connectionsChanged(bluetooth.connectionUse)
    }

    /// Logs what the gateway manages, once after the start.
    private func logSummary() {
        let (devices, rules) = (fleet.devices.count, configuration.fleet.count)
        let adapters = bluetooth.adapters.map(\.name)
        var fields = "\(devices) device\(devices == 1 ? "" : "s") configured"
        if rules > 0 { fields += ", \(rules) fleet rule\(rules == 1 ? "" : "s")" }
        if hasBluetooth {
            fields += adapters.isEmpty ? ", no adapter yet" : ", adapters \(adapters.joined(separator: ", "))"
        } else {
            fields = "decides which gateway owns which shared device"
        }
        log.info("\(fields), broker \(configuration.broker.nodes.url)", ["version": info.version])
    }

    /// The number of names in the line about devices that were not seen.
    private static let mostNames = 20

    /// Logs which devices have not been seen since the start.
    private func logMissingDevices() {
        let names = fleet.missingNames
        guard !names.isEmpty, !isStopping, bluetooth.state == .poweredOn else { return }
        let rest = names.count - Self.mostNames
        let list = names.prefix(Self.mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        log.warning(
            "not seen within \(Self.searchTime.text) after the start: \(list)",
            ["advice": "are they switched on, in range, and not connected to another device?"])
    }

    private func repaired(_ repair: Repair, _ adapter: Adapter, _ reason: String) {
        var device: String?
        if case .removeDevice(let address) = repair {
            device = fleet.devices.values.first { $0.configuration.address == address }?.name
        }
        log.warning("\(adapter.name): \(reason)", ["repair": RepairStep(repair).name.rawValue, "device": device ?? ""])
        publisher?.publish(
            .repair(RepairStep(repair), adapter: adapter.name, reason: reason, device: device), at: loop.timestamp)
    }

    // MARK: Status

    private func publishInfo() {
        guard let publisher else { return }
        let payload = info.payload(
            bluetooth, deviceCount: fleet.devices.count, broker: publisher.node, at: loop.now, loop.timestamp)
        publisher.publish(payload.json, on: .info)
    }

    /// Publishes the topic `devices` once for several changes.
    private func publishDevicesSoon() {
        guard devicesTimer == nil, !isStopping else { return }
        devicesTimer = after(fleet.gatheringTime) { gateway in
            gateway.devicesTimer = nil
            gateway.publishDevices()
        }
    }

    private func publishDevices() {
        publisher?.publish(fleet.list.json, on: .devices)
    }

    /// The state of the gateway in one line, for `systemctl status`.
    package var summary: String {
        let broker = publisher?.client.isConnected == true ? "broker connected" : "no connection to the broker"
        let devices = fleet.devices
        let available = devices.values.count { $0.enter { $0.status.availability?.isAvailable ?? false } }
        let fleet = devices.isEmpty ? "no devices" : "\(available) of \(devices.count) devices available"
        return "\(broker), \(fleet), Bluetooth: \(bluetooth.reason ?? "not started")"
    }

    // MARK: Reload

    /// Loads the configuration file again, and returns when all differences have taken effect.
    ///
    /// If the file is not valid, its mistakes are logged, and the old configuration stays in use.
    package func reload() async {
        await withCheckedContinuation { continuation in
            fleet.change { [self] in
                _ = try? await loadAgain()
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
            configuration.needsNewPublisher(after: old) ? try broker.makePublisher(configuration) : nil
        fleet.use(configuration)
        unmanaged.configurationChanged()
        if configuration.logLevel != old.logLevel { Log.level = configuration.logLevel.level }
        warnOfRestart(configuration, old)
        if configuration.bluetooth != old.bluetooth {
            loop.moderation = configuration.bluetooth.moderation
            await central.use(configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity)
        }
        if configuration.fleet != old.fleet { search.start() }
        advertisers.use(configuration, newPublisher ?? publisher)
        if let newPublisher {
            await move(to: newPublisher, from: publisher, configuration)
        } else if configuration.homeAssistantStatus != old.homeAssistantStatus {
            if let status = old.homeAssistantStatus { publisher.client.unsubscribe(from: TopicFilter(status)) }
            if let status = configuration.homeAssistantStatus { publisher.client.subscribe(to: TopicFilter(status)) }
        }
        return await fleet.settle()
    }

    private func warnOfRestart(_ configuration: Configuration, _ old: Configuration) {
        if configuration.share != old.share {
            // The names of the process and its client depend on it.
            log.always.warning("share: the change takes effect after a restart")
        }
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
        requests.forgetSubscriptions()
        advertisers.move(to: new)
        fleet.move(to: new)
        if new.broker.nameSameBroker(as: old.broker) {
            await broker.handOver(old)
        } else {
            leave(old)
        }
        requests.subscribe(new)
        sharing?.begin(with: new)
        new.client.start()
    }

    /// Prepares the end of the connection to a broker: responds to pending requests, and removes the retained messages.
    private func leave(_ old: Publisher) {
        old.client.unsubscribeFromAll()
        requests.failRequests(for: PendingReplies.Purpose.work, because: RequestRouter.brokerChangeReason)
        fleet.failCommands(because: RequestRouter.brokerChangeReason)
        old.publishOffline()
        announcer.clearAll(at: old)
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
