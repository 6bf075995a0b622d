package import Bluetooth
import DBus
package import EventLoop
import System

/// This machine as a Bluetooth LE central: its adapters and the peripherals in use.
///
/// The counterpart of Core Bluetooth's `CBCentralManager`, over bluetoothd. The bus, bluetoothd and adapters may
/// disappear and return, and adapters may be switched off and on: `state` reports each change, and requested scans
/// continue as soon as possible.
///
/// The parts own their state and rules: `Bluetoothd` (bus and adapters), `PeripheralRegistry`, `Scanner`, `Repairer`,
/// `Bonds`, `Connector` and `AdvertisementSender`. Each part depends only on parts that come before it in this list. The
/// central passes signals to the parts and starts tasks for them.
@safe package actor Central: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    private let bus: String
    let notifications: NotificationPath

    let bluetoothd: Bluetoothd
    let registry = PeripheralRegistry()
    let scanner: Scanner
    let repairer: Repairer
    let bonds: Bonds
    let connector: Connector
    let advertisementSender: AdvertisementSender

    private var status = ManagerStatus()
    /// bluetoothd's unique name on the bus.
    private(set) var serviceOwner: String?
    /// The peripherals, by object path; each signal with a value causes a look-up here.
    private(set) var peripheralsByPath = PathTable<Peripheral>()
    private var isRetrieving = false
    private var isClosed = false
    /// Wakes `run` when the bus is gone or the central is closed.
    private let wake = Mailbox<Void>()

    /// - Parameters:
    ///   - bus: The D-Bus address of the bus to which bluetoothd is connected.
    ///   - adapters: The addresses of the adapters to use; nil: all.
    ///   - connections: The number of connections per adapter; nil: it is estimated.
    ///   - notifications: How bluetoothd delivers notified values to this process.
    ///   - scanSilence: The time without an advertisement after which a scan is repaired.
    ///   - disconnectTimeout: How long a disconnection may take before a repair begins.
    ///   - radioSwitches: The folder of the kernel's rfkill switches.
    ///   - loop: The event loop that runs the central and calls its handlers.
    package init(
        bus: String, adapters: [Address]?, connections: Int? = nil, notifications: NotificationPath = .automatic,
        scanSilence: Duration = .seconds(90), disconnectTimeout: Duration = .seconds(10),
        radioSwitches: String = RadioSwitch.folder, loop: EventLoop
    ) {
        self.bus = bus
        self.notifications = notifications
        self.loop = loop
        unsafe unownedExecutor = loop.asUnownedSerialExecutor()
        bluetoothd = Bluetoothd(
            allowedAddresses: adapters, radioSwitches: radioSwitches, disconnectTimeout: disconnectTimeout)
        scanner = Scanner(bluetoothd, silence: scanSilence, loop: loop)
        let powerCycles = PowerCycles(bluetoothd, loop: loop)
        repairer = Repairer(bluetoothd, scanner, powerCycles, loop: loop)
        bonds = Bonds(bluetoothd, loop: loop)
        connector = Connector(
            bluetoothd, scanner, repairer, bonds, capacity: connections, loop: loop,
            peripheral: { [registry] in registry[$0] })
        advertisementSender = AdvertisementSender(bluetoothd, loop: loop)
    }

    // MARK: State

    package var state: ManagerState { status.state }
    /// The reason for the state, as a text for the user.
    package var reason: String { status.reason }
    /// The number of connections that ended when bluetoothd, or the bus, was last lost.
    package var lostConnectionCount: Int { status.lostConnectionCount }

    /// Calls `handler` on the loop with each new state and its reason.
    package func onStateChange(_ handler: @escaping @Sendable (ManagerState, String) -> Void) {
        status.onChange(handler)
    }

    private func setState(_ state: ManagerState, _ reason: String) {
        for handler in status.set(state, reason) { handler(state, reason) }
    }

    /// The adapters in use, sorted by name.
    package var availableAdapters: [Adapter] { bluetoothd.sortedAdapters }

    // MARK: Life

    /// Connects to the bus and to bluetoothd, and connects again after each loss.
    package func start() {
        spawn { await $0.run() }
    }

    private func run() async {
        var pause = Backoff(first: .milliseconds(500), longest: .seconds(15))
        while !isClosed {
            // Wake-ups of an earlier connection must not end the next connection.
            while wake.count > 0 { _ = await wake.next() }
            do throws(DBusError) {
                try await attach()
                pause.reset()
                _ = await wake.next()
                detach("the connection to the bus is lost")
            } catch {
                let isRefused = error.name == DBusError.accessDenied || error.name == DBusError.authenticationFailed
                detach("no connection to the bus at \(bus): \(error)")
                if isRefused { setState(.unauthorized, "the bus rejects this user: \(error)") }
            }
            if isClosed { break }
            await loop.sleep(for: pause.delay())
        }
    }

    /// Prevents further repairs: during the shutdown, their outcome would not be reported.
    package func disableRepairs() {
        repairer.disable()
    }

    /// How long bluetoothd may take for the calls of the shutdown.
    ///
    /// bluetoothd also ends the scan when this client leaves the bus.
    private static let shutdownLimit = Duration.seconds(5)

    /// Ends the scan and leaves the bus.
    ///
    /// The caller must have ended the connections before.
    package func close() async {
        disableRepairs()
        isClosed = true
        scanner.close()
        await loop.wait(for: Self.shutdownLimit) { await self.leaveAdapters() }
        await bluetoothd.connection?.close()
        bluetoothd.disconnected()
        wake.close()
    }

    private func leaveAdapters() async {
        guard let connection = bluetoothd.connection else { return }
        // All at once: an adapter that does not respond must not delay the others.
        await withTaskGroup { [loop] group in
            group.addTask(executorPreference: loop.tasks) { await self.adjustScans() }
            group.addTask(executorPreference: loop.tasks) { await self.endAdvertisements() }
            for adapter in bluetoothd.adapters.values {
                group.addTask(executorPreference: loop.tasks) { await self.leavePowered(adapter, connection) }
            }
        }
    }

    private func adjustScans() async {
        await scanner.adjust()
    }

    private func endAdvertisements() async {
        await advertisementSender.close()
    }

    /// Switches an adapter on again if a repair has switched it off.
    func leavePowered(_ adapter: Adapter, _ connection: Connection) async {
        let object = RemoteObject(connection: connection, path: adapter.path, interface: BlueZName.adapter)
        await repairer.powerCycles.finish(adapter, object, within: Self.shutdownLimit)
    }

    /// Waits until all messages that the bus has queued for this client are handled; returns at once without a bus.
    package func catchUp() async {
        _ = try? await bluetoothd.connection?.callBus("GetId")
    }

    private func attach() async throws(DBusError) {
        let connection = try await Connection.open(bus, loop: loop)
        bluetoothd.connected(by: connection)
        await connection.onSignal { [unowned self] message in
            isolated(message) { $0.received($1) }
        }
        await connection.onCall { [unowned self] message in
            assumeIsolated { $0.called(message) }
        }
        await connection.onDisconnect { [unowned self] in
            assumeIsolated { $0.wake.put(()) }
        }
        // The match rules are added before the objects are read, so that no signal in between is missed.
        for match in BlueZName.matches { try await connection.addMatch(match) }
        let owner = try await connection.owner(of: BlueZName.service)
        // A signal may have reported a newer owner before the reply.
        serviceOwner = serviceOwner ?? owner
        if serviceOwner != nil {
            await serviceAppeared()
        } else {
            setState(.resetting, "bluetoothd is not running: sudo systemctl start bluetooth")
        }
    }

    private func detach(_ reason: String) {
        // A call that is under way may retain the connection for a while; the closed connection reports no more
        // signals.
        bluetoothd.connection?.assumeIsolated { $0.close() }
        bluetoothd.disconnected()
        serviceVanished(reason)
    }

    // MARK: bluetoothd

    /// Notes that bluetoothd has left the bus or has joined it with a new unique name; an empty name means "none".
    func serviceOwnerChanged(from old: String, to new: String) {
        if !old.isEmpty { serviceVanished("bluetoothd has stopped") }
        if !new.isEmpty {
            serviceOwner = new
            spawn { await $0.serviceAppeared() }
        }
    }

    /// Reads all objects of bluetoothd after it has joined the bus.
    func serviceAppeared() async {
        guard let connection = bluetoothd.connection else { return }
        do throws(DBusError) {
            let objects = try await connection.managedObjects().compactMapValues(\.dictionary)
            let isAdapter = { (interfaces: [String: Variant]) in interfaces[BlueZName.adapter] != nil }
            // All adapters are known before the first state is reported, and an adapter before its devices.
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) where isAdapter(interfaces) {
                interfacesAdded(at: path, interfaces)
            }
            bluetoothd.appeared()
            adaptersChanged()
            for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) where !isAdapter(interfaces) {
                interfacesAdded(at: path, interfaces)
            }
            // bluetoothd has reported all connections of the earlier run.
            registry.forgetAbandoned()
            adaptersChanged()
            bonds.settleSoon()
        } catch {
            let isRefused = error.name == DBusError.accessDenied
            bluetoothd.didNotAnswer()
            setState(
                isRefused ? .unauthorized : .resetting,
                isRefused
                    ? "the D-Bus policy does not allow this user to call org.bluez: \(error)"
                    : "bluetoothd does not respond: \(error)")
            // No signal reports that a policy has been corrected.
            after(.seconds(2)) { [weak connection] central in
                if let connection { central.askAgain(connection) }
            }
        }
    }

    private func askAgain(_ connection: Connection) {
        guard bluetoothd.connection === connection, !bluetoothd.isPresent, !isClosed else { return }
        spawn { await $0.serviceAppeared() }
    }

    /// Removes all objects and ends all connections, because bluetoothd or the bus is gone.
    ///
    /// No signals report these changes.
    private func serviceVanished(_ reason: String) {
        serviceOwner = nil
        bonds.agent.reset()
        bluetoothd.vanished()
        connector.slots.closeAll()
        scanner.allEnded()
        advertisementSender.vanished()
        scanner.observers.removeDevices()
        let gone = peripheralsByPath.values
        peripheralsByPath = PathTable()
        status.connectionsLost(gone.count { $0.assumeIsolated { $0.serviceEnded() } })
        setState(.resetting, reason)
    }

    /// Updates the state after a change of the adapters, and adjusts the scans.
    func adaptersChanged() {
        guard bluetoothd.isPresent else { return }
        let centrals = availableAdapters.filter(\.isCentral)
        let open = bluetoothd.openAdapters
        for peripheral in registry.all {
            peripheral.assumeIsolated { $0.adaptersChanged(open) }
        }
        if !centrals.isEmpty {
            let states = centrals.map { adapter in
                let state = adapter.isPowered ? "on" : adapter.obstacle ?? "off: bluetoothctl power on"
                return "\(adapter.name) (\(adapter.address)) is \(state)"
            }
            setState(
                centrals.contains(where: \.isPowered) ? .poweredOn : .poweredOff, states.joined(separator: ", "))
        } else {
            let wanted = bluetoothd.allowedAddresses.map { $0.map(\.description).joined(separator: ", ") }
            setState(.unsupported, wanted.map { "no adapter \($0)" } ?? "there is no Bluetooth adapter")
        }
        scanner.adjustSoon()
        advertisementSender.settleSoon()
    }

    // MARK: Peripherals

    /// Removes a peripheral that is no longer used; the caller must disconnect it before.
    ///
    /// bluetoothd keeps files of each device that was ever connected. The files of a peripheral are deleted, unless it
    /// is bonded, trusted or blocked.
    package func forget(_ address: Address) {
        guard let peripheral = registry[address] else { return }
        stopScanning(for: peripheral)
        connector.forget(address)
        removeTraces(of: peripheral)
        registry.remove(address)
        peripheralsByPath.removeAll { $1 === peripheral }
        guard let identity = peripheral.assumeIsolated({ $0.identity }) else { return }
        registry.removeIdentity(identity)
        // The peripheral may also be in use under its identity address.
        if registry[identity] != nil { retrieveSoon() }
    }

    /// Assigns a device object of bluetoothd to the peripheral in use with the same address, if there is one.
    func deviceAdded(at path: String, _ properties: DeviceProperties, _ address: Address) {
        guard let peripheral = peripheral(knownAs: address, at: path), let connection = bluetoothd.connection,
            let adapter = bluetoothd.adapter(of: properties)
        else { return }
        peripheralsByPath[path] = peripheral
        peripheral.assumeIsolated { peripheral in
            peripheral.appeared(at: path, of: adapter, connection)
            peripheral.update(properties, at: path, isSnapshot: true)
        }
    }

    func deviceRemoved(at path: String) {
        scanner.observers.deviceRemoved(at: path)
        guard let peripheral = peripheralsByPath.removeValue(forPath: path) else { return }
        peripheral.assumeIsolated { $0.disappeared(from: path) }
    }

    // MARK: Retrieving

    /// Starts one search for new peripherals among bluetoothd's objects: bluetoothd announces each object only once.
    func retrieveSoon() {
        guard bluetoothd.isPresent, !isRetrieving else { return }
        isRetrieving = true
        spawn { await $0.retrieve() }
    }

    /// Reads all objects of bluetoothd and assigns them to the peripherals in use.
    func retrieve() async {
        isRetrieving = false
        guard let connection = bluetoothd.connection else { return }
        do throws(DBusError) {
            objectsRetrieved(try await connection.managedObjects())
        } catch {
            // bluetoothd is gone; when it returns, all of its objects are read.
        }
    }
}
