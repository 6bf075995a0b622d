internal import BlueZ
internal import Bluetooth
package import Configuration
package import EventLoop
internal import JSON
internal import Log
internal import MQTT

/// The bridge: the fleet on one side, the broker on the other.
@safe package actor Gateway {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    let loop: EventLoop
    let version: String
    var configuration: Configuration
    let central: Central
    let log = Log("gateway")
    let startTime: Instant

    var outlet: Outlet?
    /// Those that are being given up.
    var formerOutlets: [Outlet] = []
    var outletCount = 0
    var rivalry = Rivalry()
    var devices: [String: Device] = [:]
    /// Those that are being let go, until others have taken their places: they answer what is asked of them meanwhile.
    var leaving: [String: Device] = [:]
    var knownPeripherals: KnownPeripheralStore
    var retained: RetainedTopicsStore
    /// What Home Assistant was told since the last connection, by the topic: too long to be kept, its fingerprint.
    var toldDiscovery: [Topic: Int] = [:]
    var birthTimer: Timer?
    var retainedTimer: Timer?
    /// How old what the bus has for us is, as far as known; and who looks at it while the broker is behind.
    var lag = Lag() {
        didSet { lagChanged(from: oldValue.isTooLong) }
    }
    var lagWatch: Timer?
    var strangers = Strangers()
    /// What asks for the requests to the devices.
    var requestFilters: Set<TopicFilter> = []
    var healthTimer: Timer?
    /// Who has how many connections, as the gateway's health told it last.
    var toldConnectionUse: [JSON] = []
    var linksTimer: Timer?
    /// How many notifications there had been, and when, at the last report.
    var notifications: (count: Int, time: Instant)
    /// The devices whose advertisements are read.
    var listening: [Address: Device] = [:]
    /// How they are heard.
    var observed: (addresses: Set<Address>, observation: ScanObservation?) = ([], nil)
    /// What advertisements have been found to tell.
    var quantitiesStore: QuantitiesStore
    var quantitiesTimer: Timer?
    private var waitingMessages: WaitingMessagesStore
    /// Listens for devices to adopt, while it does; and what begins and ends that.
    var fleetObservation: ScanObservation?
    var searchTimer: Timer?
    /// What was heard and is to be adopted.
    var candidates: [Sighting] = []
    /// The addresses of the devices, and of those that were looked at since the search began.
    var knownAddresses: Set<Address> = []
    /// What was changed at run time.
    var rosterStore: RosterStore
    /// What of that does not go together with the file, by the device's name.
    var conflicts: [String: Roster.Conflict] = [:]
    /// The changes of the fleet that wait for their turn.
    let changes = Mailbox<@Sendable (isolated Gateway) async -> Void>()
    /// A change that is under way adds no more devices.
    private(set) var isStopping = false
    /// The requests to the gateway that are under way.
    var pending = PendingReplies()
    /// The addresses of what is being inspected and has no device of ours.
    var inspected: Set<Address> = []
    private let farewell: Duration
    /// Reads the configuration again; nil where it is in no file.
    let source: (@Sendable () throws(ConfigurationError) -> Configuration)?
    private(set) var isBluetoothOn = false
    private(set) var bluetoothReason = "not started"

    /// - Parameters:
    ///   - bus: the D-Bus on which bluetoothd is.
    ///   - version: what the gateway says of itself.
    ///   - farewell: how long the links may take to end when it stops. With what follows that is half of the time that
    ///     systemd gives (`TimeoutStopSec` in the unit), whatever bluetoothd does.
    ///   - source: reads the configuration again, for the request `reload`.
    package init(
        configuration: Configuration, bus: String, version: String, loop: EventLoop, farewell: Duration = .seconds(8),
        source: (@Sendable () throws(ConfigurationError) -> Configuration)? = nil
    ) {
        self.configuration = configuration
        self.version = version
        self.source = source
        self.loop = loop
        self.farewell = farewell
        startTime = loop.now
        notifications = (0, loop.now)
        knownPeripherals = KnownPeripheralStore(in: configuration.stateDirectory)
        retained = RetainedTopicsStore(in: configuration.stateDirectory)
        rosterStore = RosterStore(in: configuration.stateDirectory)
        quantitiesStore = QuantitiesStore(in: configuration.stateDirectory)
        waitingMessages = WaitingMessagesStore(in: configuration.stateDirectory)
        central = Central(
            bus: bus, adapters: configuration.bluetooth.addresses, connections: configuration.bluetooth.capacity,
            notifications: configuration.bluetooth.notifications.path, loop: loop)
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    // MARK: Life

    /// Connects to the broker and to Bluetooth, and looks after the devices from now on.
    ///
    /// - Throws: `GatewayError` for what will not mend itself: settings that the broker's library refuses, a secret that
    ///   cannot be read.
    package func start() async throws(GatewayError) {
        let outlet = try makeOutlet(configuration)
        self.outlet = outlet
        for message in waitingMessages.take(for: outlet) { outlet.client.publish(message, keeping: .each) }
        loop.moderation = configuration.bluetooth.moderation
        let wanted = wantedDevices()
        for device in wanted { try add(device, outlet) }
        listen(outlet)
        outlet.client.start()
        await central.onStateChange { [weak self] state, reason in
            self?.assumeIsolated { $0.bluetoothChanged(state, reason) }
        }
        await central.onRepair { [weak self] repair, adapter, reason in
            self?.assumeIsolated { $0.repaired(repair, adapter, reason) }
        }
        await central.onLinkChange { [weak self] in
            self?.assumeIsolated { $0.linksChanged() }
        }
        let connected = wanted.filter(\.connect.isConnectedByItself)
        await central.restore(
            knownPeripherals.load(), of: Set(wanted.map(\.address)), links: Set(connected.map(\.address)))
        await central.start()
        for device in devices.values { await device.start(bluetoothIsOn: isBluetoothOn) }
        listenToDevices()
        searchForFleet()
        tellHealth()
        Task(executorPreference: loop.tasks) { await self.makeChanges() }
        loop.schedule(after: Self.settlingTime) { SpareMemory.release() }
    }

    /// How long the start takes at most, with the broker and the devices at hand.
    private static let settlingTime = Duration.seconds(5)

    private static let farewellReason = "the gateway has stopped"

    /// Ends every session, tells the broker, and leaves nothing open.
    package func stop() async {
        isStopping = true
        refuseCommands()
        healthTimer?.cancel()
        birthTimer?.cancel()
        retainedTimer?.cancel()
        linksTimer?.cancel()
        quantitiesTimer?.cancel()
        endSearch()
        changes.close()
        giveUpRequests(for: .change, .work, because: Self.stopReason)
        await central.beginClosing()
        let areGone = await loop.wait(for: farewell) { [devices = devices.values, loop] in
            await withTaskGroup { group in
                for device in devices {
                    group.addTask(executorPreference: loop.tasks) {
                        await device.stop(because: Self.farewellReason)
                    }
                }
            }
        }
        if !areGone { log.warning("not all links have ended in \(farewell.text): they are left to bluetoothd") }
        rememberPeripherals()
        await central.close()
        if let outlet { await takeLeave(of: outlet) }
    }

    /// Tells the broker that the gateway goes; what it has not taken waits for the next start.
    private func takeLeave(of outlet: Outlet) async {
        let unsent = await outlet.client.close(
            within: .seconds(2), farewell: try? stateMessage("offline", outlet))
        // By the next start nobody waits for an answer any more.
        let messages = unsent.filter { $0.fallback == nil }.map(\.message)
        if !messages.isEmpty { waitingMessages.save(messages, for: outlet) }
    }

    /// Has the devices refuse what still comes, before they are stopped.
    private func refuseCommands() {
        for device in devices.values { device.assumeIsolated { $0.presence.farewell = Self.farewellReason } }
    }

    @discardableResult
    func add(_ configuration: Configuration.Device, _ outlet: Outlet) throws(GatewayError) -> Device {
        do throws(TopicError) {
            let device = try Device(configuration, central: central, outlet: outlet, loop: loop)
            let known = quantitiesStore[configuration.address]
            device.assumeIsolated { device in
                device.onIdentityChange { [weak self, weak device] in
                    if let device { self?.assumeIsolated { $0.announceAgain(device) } }
                }
                device.listen(knowing: known) { [weak self] in self?.assumeIsolated { $0.quantitiesChanged() } }
            }
            devices[configuration.name] = device
            return device
        } catch {
            throw GatewayError("the device \(configuration.name): \(error)")
        }
    }

    // MARK: Bluetooth

    private func bluetoothChanged(_ state: ManagerState, _ reason: String) {
        isBluetoothOn = state == .poweredOn
        bluetoothReason = reason
        if isBluetoothOn {
            log.always.info("Bluetooth: \(reason)")
        } else if !isStopping {
            // Who leaves Bluetooth alone need not say that it is gone.
            log.always.warning("Bluetooth is not available: \(reason)")
        }
        outlet?.announce(
            "bluetooth", ["state": .string(state.rawValue), "reason": .string(reason)], at: loop.timestamp)
        for device in devices.values {
            device.assumeIsolated { $0.bluetoothChanged(isOn: state == .poweredOn, reason: reason) }
        }
        tellInfo()
    }

    private func repaired(_ repair: Repair, _ adapter: Adapter, _ reason: String) {
        var details: JSON.Object = [
            "adapter": .string(adapter.name), "repair": .string(repair.name), "reason": .string(reason),
        ]
        var device: String?
        if case .removeDevice(let address) = repair {
            details["address"] = .string("\(address)")
            device = devices.values.first { $0.configuration.address == address }?.name
        }
        log.warning("\(adapter.name): \(reason)", ["repair": repair.name, "device": device ?? ""])
        outlet?.announce("repair", device: device, details, at: loop.timestamp)
    }
}

extension Configuration.Adapters {
    /// How many connections an adapter may hold; nil: as many as it turns out to.
    var capacity: Int? {
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
