import DBus
import EventLoop

/// A computer on the air: its adapters, the devices that its bluetoothd stores, and the bluetoothd that runs on its bus.
final class Machine: LoopPart {
    let loop: EventLoop
    let model: SimulatedFleet.Machine
    /// The address of the bus.
    let bus: String
    private let fleet: SimulatedFleet
    private let air: Air
    private let storage: Storage
    /// The adapters that are plugged in.
    private var adapters: [SimulatedFleet.Adapter]
    /// Whether the machine has power; without power, bluetoothd cannot be started.
    private(set) var isOn = true
    /// The running bluetoothd; nil while bluetoothd is stopped.
    private(set) var host: Host?
    private var connection: Connection?
    /// Held during a start or a stop of bluetoothd.
    private let lock = AsyncLock()

    init(_ model: SimulatedFleet.Machine, of fleet: SimulatedFleet, on bus: String, in air: Air) {
        self.model = model
        self.fleet = fleet
        self.bus = bus
        self.air = air
        loop = air.loop
        storage = Storage(model.adapters, fleet.peripherals)
        adapters = model.adapters
    }

    // MARK: Power

    /// Cuts the power: bluetoothd and all connections end without signals.
    func switchOff() async {
        isOn = false
        await stopBluetoothd()
    }

    /// Switches the machine on, which starts bluetoothd.
    func switchOn() async throws(DBusError) {
        isOn = true
        try await startBluetoothd()
    }

    // MARK: bluetoothd

    /// Starts bluetoothd; its adapters appear on the bus after the name `org.bluez`.
    ///
    /// Starts and stops run one at a time, in the order of the calls.
    func startBluetoothd() async throws(DBusError) {
        await lock.lock()
        defer { lock.unlock() }
        if host == nil, isOn { try await start() }
    }

    /// Stops bluetoothd as in a crash: the name `org.bluez` loses its owner, and no other signals are sent.
    func stopBluetoothd() async {
        await lock.lock()
        defer { lock.unlock() }
        await end()
    }

    private func start() async throws(DBusError) {
        let connection = try await Connection.open(bus, loop: loop)
        let host = Host(fleet, in: air, storage: storage, on: connection) { [weak self] message, number in
            self?.spawn { await $0.call(message, number) }
        }
        self.host = host
        self.connection = connection
        let handle = handler { (machine: Machine, call: Message) in machine.host?.handle(call) }
        await connection.onCall { call in
            handle(call)
            return true
        }
        await connection.onSignal(handler { machine, signal in machine.received(signal) })
        do throws(DBusError) {
            try await connection.addMatch(
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''")
            try await connection.addMatch(
                "type='signal',interface='org.freedesktop.DBus.Properties',arg0='org.bluez.LEAdvertisement1'")
            try await connection.requestName("org.bluez")
        } catch {
            await end()
            throw error
        }
        host.start(with: adapters)
    }

    private func end() async {
        if let connection {
            self.connection = nil
            do throws(DBusError) {
                // The bus may detect the closed connection only after the next start.
                try await connection.releaseName("org.bluez")
            } catch {
                // The bus has ended: there is no name to release.
            }
            await connection.close()
        }
        // Closing fails the pending calls; their replies are discarded because the connection is closed.
        host?.close()
        host = nil
    }

    private func received(_ signal: Message) {
        if signal.isSignal("PropertiesChanged", on: "org.freedesktop.DBus.Properties") {
            host?.propertiesChanged(signal)
            return
        }
        guard signal.isSignal("NameOwnerChanged", on: "org.freedesktop.DBus") else { return }
        let names = signal.arguments.compactMap(\.text)
        if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { host?.clientLeft(names[0]) }
    }

    /// Sends a numbered call of an agent, and passes the answer on.
    private func call(_ message: Message, _ number: Int) async {
        guard let connection else { return }
        let result: Result<[Variant], DBusError>
        do throws(DBusError) {
            // The agent may have to ask a user: BlueZ waits for 60 s.
            result = .success(try await connection.call(message, timeout: .seconds(60)).arguments)
        } catch {
            result = .failure(error)
        }
        host?.answered(number, result)
    }

    // MARK: Adapters

    /// Plugs an adapter in; returns false if the adapter is plugged in already, or another one has its name.
    func add(_ model: SimulatedFleet.Adapter) -> Bool {
        guard !adapters.contains(where: { $0.name == model.name || $0.address == model.address }) else { return false }
        adapters.append(model)
        host?.add(model)
        return true
    }

    /// Unplugs an adapter.
    func remove(_ adapter: AdapterObject) {
        adapters.removeAll { $0.name == adapter.model.name }
        host?.remove(adapter)
    }
}
