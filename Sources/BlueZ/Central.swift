package import Bluetooth
internal import DBus
package import EventLoop

/// This machine as a Bluetooth LE central: its adapters, and the peripherals that somebody cares for.
///
/// The counterpart of Core Bluetooth's `CBCentralManager`, over bluetoothd. It survives whatever comes and goes: the bus,
/// bluetoothd, adapters, their power; `state` tells, and what was wanted goes on when it can.
@safe package actor Central: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    private let bus: String
    var allowedAdapters: [Address]?
    var capacity: Int?
    private let notifications: NotificationPath

    package private(set) var state = ManagerState.unknown
    /// Why the state is what it is, for people.
    package private(set) var reason = "not started"
    private var stateHandlers: [(ManagerState, String) -> Void] = []

    var connection: Connection?
    /// bluetoothd's unique name on the bus.
    var serviceOwner: String?
    var isServicePresent = false
    var isRetrieving = false
    private var isClosed = false
    /// No more repairs are begun.
    private(set) var isClosing = false
    private let wake = Mailbox<Void>()

    var adapters: [String: Adapter] = [:]
    var peripherals: [Address: Peripheral] = [:]
    /// Peripherals that nobody wants any more, and whose links an earlier run may have left behind.
    var abandoned: Set<Address> = []
    var linkHandler: (() -> Void)?
    /// Those that have another address by now, by their identity addresses.
    var identities: [Address: Address] = [:]
    /// The peripherals by the path of their object.
    var peripheralsByPath = PathTable<Peripheral>()
    /// The links by the adapter's path, and by the peripheral that has a slot or waits for one.
    var links: [String: AdapterLinks] = [:]
    var linksByPeripheral: [Address: AdapterLinks] = [:]
    /// Those whose connect is under way.
    var attempts: [Address: ConnectionAttempt] = [:]
    /// When attempts were ended: bluetoothd may get a link all the same.
    var endedAttempts: [Address: Instant] = [:]
    /// Those that have got a link in this way, which is being ended.
    var chased: Set<Address> = []
    var sought: Set<Address> = []
    /// How many look for a peripheral just once.
    var finderCount = 0
    var observers: [ScanObservation: ScanObserver] = [:]
    var observationCount = 0
    /// Those that bluetoothd knows, by path, while somebody observes.
    var heardDevices = PathTable<HeardDevice>()
    /// The scans that are on, by the adapter's path.
    var scans: [String: ScanStyle] = [:]
    /// The adapters whose scan rests while a peripheral is connected.
    var scanPauses: [Address: String] = [:]
    /// Whoever starts or stops a scan: bluetoothd takes a second start or stop while one is under way for an error.
    let scanTurn = Turnstile()
    /// Tries again to start a scan that did not start.
    var scanRetry: Timer?
    /// How long a scan may hear nothing before it counts as dead.
    let scanSilence: Duration
    /// How long bluetoothd may take to end a link.
    let endLimit: Duration
    /// Where the kernel shows its switches for radios.
    let radioSwitches: String
    var scanWatches = PathTable<ScanWatch>()
    var ladders: [String: RepairLadder] = [:]
    /// The power cycles that are not over, by the adapter's address: it may have another path when it comes back.
    var powerCycles: [Address: PowerCycle] = [:]
    var repairHandler: ((Repair, Adapter, String) -> Void)?
    let agent = PairingAgent()

    /// - Parameters:
    ///   - bus: the bus on which bluetoothd is.
    ///   - adapters: the adapters to use, by address; nil: every one.
    ///   - connections: how many links each of them may hold; nil: as many as it turns out to.
    ///   - notifications: how notified values come from bluetoothd.
    ///   - scanSilence: how long a scan may hear nothing before something is done about it.
    ///   - endLimit: how long the end of a link may take before something is done about it.
    ///   - radioSwitches: where the kernel shows its switches for radios.
    package init(
        bus: String, adapters: [Address]?, connections: Int? = nil, notifications: NotificationPath = .automatic,
        scanSilence: Duration = .seconds(90), endLimit: Duration = .seconds(10),
        radioSwitches: String = RadioSwitch.folder, loop: EventLoop
    ) {
        self.bus = bus
        self.loop = loop
        allowedAdapters = adapters
        capacity = connections
        self.notifications = notifications
        self.scanSilence = scanSilence
        self.endLimit = endLimit
        self.radioSwitches = radioSwitches
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Calls `handler`, on the loop, with each new state and the reason for it.
    package func onStateChange(_ handler: @escaping @Sendable (ManagerState, String) -> Void) {
        stateHandlers.append(handler)
    }

    /// The peripheral with an address, seen or not; the same one each time.
    package func peripheral(at address: Address) -> Peripheral {
        if let peripheral = peripherals[address] { return peripheral }
        let peripheral = Peripheral(address: address, notifications: notifications, loop: loop)
        peripherals[address] = peripheral
        peripheral.assumeIsolated { [openAdapters] peripheral in
            peripheral.adaptersChanged(openAdapters)
            peripheral.onOtherRoute { [weak self] adapter in
                self?.assumeIsolated { $0.alsoHeard(address, by: adapter) }
            }
            peripheral.onLinkChange { [weak self] isUp, adapter in
                self?.assumeIsolated { $0.linkChanged(of: address, isUp: isUp, at: adapter) }
            }
        }
        retrieveSoon()
        return peripheral
    }

    /// The adapters in use, by name.
    package var availableAdapters: [Adapter] {
        adapters.values.sorted { $0.name < $1.name }
    }

    // MARK: Life

    /// Connects to the bus and to bluetoothd, and again whenever they come back.
    package func start() {
        Task(executorPreference: loop.tasks) { await self.run() }
    }

    private func run() async {
        var pause = Duration.milliseconds(500)
        while !isClosed {
            // What an earlier connection has left behind is not about the next one.
            while wake.count > 0 { _ = await wake.next() }
            do throws(DBusError) {
                try await attach()
                pause = .milliseconds(500)
                _ = await wake.next()
                detach("the bus has gone")
            } catch {
                let isRefused = error.name == DBusError.accessDenied || error.name == DBusError.authenticationFailed
                detach("no connection to the bus at \(bus): \(error)")
                if isRefused { setState(.unauthorized, "the bus does not let us in: \(error)") }
            }
            if isClosed { break }
            await loop.sleep(for: pause)
            pause = min(pause * 2, .seconds(15))
        }
    }

    /// From now on nothing is repaired: nobody would see what comes of it.
    package func beginClosing() {
        isClosing = true
    }

    /// How long bluetoothd may take for what it is asked to do at the end; it also ends our scan when it sees us gone.
    static let farewell = Duration.seconds(5)

    /// Ends the scan and leaves the bus; links that are still up are the caller's to end before.
    package func close() async {
        beginClosing()
        isClosed = true
        sought = []
        observers = [:]
        await loop.wait(for: Self.farewell) { await self.leaveAdapters() }
        await connection?.close()
        connection = nil
        wake.close()
    }

    private func leaveAdapters() async {
        guard let connection else { return }
        // At once: one that does not answer takes the time of nobody else.
        await withTaskGroup { [loop] group in
            group.addTask(executorPreference: loop.tasks) { await self.adjustScan() }
            for adapter in adapters.values {
                group.addTask(executorPreference: loop.tasks) { await self.leavePowered(adapter, connection) }
            }
        }
    }

    /// Returns when all has been handled that the bus had for us; at once without a bus.
    package func catchUp() async {
        _ = try? await connection?.callBus("GetId")
    }

    private func attach() async throws(DBusError) {
        let connection = try await Connection.open(bus, loop: loop)
        self.connection = connection
        await connection.onSignal { [unowned self] message in
            isolated(message) { $0.received($1) }
        }
        await connection.onCall { [unowned self] message in
            assumeIsolated { $0.called(message) }
        }
        await connection.onDisconnect { [unowned self] in
            assumeIsolated { $0.wake.put(()) }
        }
        // Before the snapshot, so that nothing is missed between the two.
        for match in BlueZName.matches { try await connection.addMatch(match) }
        let owner = try await connection.owner(of: BlueZName.service)
        // Unless the bus has told of a newer one meanwhile.
        serviceOwner = serviceOwner ?? owner
        if serviceOwner != nil {
            await serviceAppeared()
        } else {
            setState(.resetting, "bluetoothd is not running: systemctl start bluetooth")
        }
    }

    private func detach(_ reason: String) {
        // A call that is under way may keep it for a while; it is not to tell of anything more.
        connection?.assumeIsolated { $0.close() }
        connection = nil
        serviceVanished(reason)
    }

    /// bluetoothd is on the bus: takes in all that it has.
    func serviceAppeared() async {
        guard let connection else { return }
        do throws(DBusError) {
            let objects = try await Peripheral.managedObjects(connection)
            isServicePresent = true
            // Sorted, an adapter comes before its devices.
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) {
                if let interfaces = interfaces.dictionary { interfacesAdded(at: path, interfaces) }
            }
            adaptersChanged()
            settleAgentSoon()
        } catch {
            let isRefused = error.name == DBusError.accessDenied
            isServicePresent = false
            setState(
                isRefused ? .unauthorized : .resetting,
                isRefused
                    ? "the D-Bus policy refuses org.bluez to this user: \(error)"
                    : "bluetoothd does not answer: \(error)")
            // Nobody signals that a policy has been mended.
            loop.schedule(after: .seconds(2)) { [weak self, weak connection] in
                if let connection { self?.assumeIsolated { $0.askAgain(connection) } }
            }
        }
    }

    private func askAgain(_ connection: Connection) {
        guard self.connection === connection, !isServicePresent, !isClosed else { return }
        Task(executorPreference: loop.tasks) { await self.serviceAppeared() }
    }

    /// bluetoothd or the whole bus has gone, and with it every object and link. (It sends no signal for them.)
    func serviceVanished(_ reason: String) {
        isServicePresent = false
        serviceOwner = nil
        agent.reset()
        adapters = [:]
        for adapter in links.keys { closeLinks(of: adapter) }
        for adapter in scans.keys { scanEnded(on: adapter) }
        heardDevices = PathTable()
        let gone = peripheralsByPath.values
        peripheralsByPath = PathTable()
        for peripheral in gone {
            peripheral.assumeIsolated { $0.disappeared() }
        }
        setState(.resetting, reason)
    }

    // MARK: Adapters

    func isAllowed(_ address: Address) -> Bool {
        allowedAdapters?.contains(address) ?? true
    }

    /// The adapters through which peripherals can be connected, by path.
    private var openAdapters: Set<String> {
        Set(adapters.values.filter { $0.isCentral && $0.isPowered }.map(\.path))
    }

    /// Works out the state, and goes on with what it allows.
    func adaptersChanged() {
        guard isServicePresent else { return }
        let centrals = availableAdapters.filter(\.isCentral)
        for peripheral in peripherals.values {
            peripheral.assumeIsolated { [openAdapters] in $0.adaptersChanged(openAdapters) }
        }
        if let powered = centrals.first(where: \.isPowered) {
            setState(.poweredOn, "\(powered.name) (\(powered.address)) is on")
        } else if let adapter = centrals.first {
            let obstacle = adapter.obstacle ?? "off: bluetoothctl power on"
            setState(.poweredOff, "\(adapter.name) (\(adapter.address)) is \(obstacle)")
        } else {
            let wanted = allowedAdapters.map { $0.map(\.description).joined(separator: ", ") }
            setState(.unsupported, wanted.map { "no adapter \($0)" } ?? "there is no Bluetooth adapter")
        }
        scanSoon()
    }

    private func setState(_ state: ManagerState, _ reason: String) {
        guard state != self.state || reason != self.reason else { return }
        self.state = state
        self.reason = reason
        for handler in stateHandlers { handler(state, reason) }
    }
}
