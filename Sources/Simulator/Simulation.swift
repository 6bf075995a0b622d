package import DBus
package import EventLoop

/// A fleet of simulated peripherals behind a simulated bluetoothd, which owns `org.bluez` on a bus.
///
/// Clients find the objects, signals, errors and delays of a real one. Tests and curious people pull the strings with
/// `direct`, or by `io.bluefleet.Simulator` on the same bus.
@safe package actor Simulation {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    private nonisolated let loop: EventLoop
    /// The address of the bus that clients use.
    package nonisolated let bus: String
    private let scene: Scene
    private var connection: Connection?
    private let busEnded: @Sendable () -> Void
    /// The start or the end of bluetoothd that was asked for last.
    private var turn: Task<DBusError?, Never>?
    private var control: (connection: Connection, tree: ObjectTree, object: ControlObject)?

    private init(_ fleet: Fleet, on bus: String, loop: EventLoop, busEnded: @escaping @Sendable () -> Void) {
        unsafe unownedExecutor = unsafe loop.asUnownedSerialExecutor()
        self.bus = bus
        self.loop = loop
        self.busEnded = busEnded
        scene = Scene(fleet, loop: loop)
    }

    /// Plays a fleet on the bus at an address until `stop()`.
    ///
    /// - Parameter busEnded: called, on the loop, when the bus has gone, and with it whoever could see the fleet.
    /// - Throws: `DBusError` when there is no such bus, or another bluetoothd on it.
    package static func start(
        fleet: Fleet, bus: String, loop: EventLoop, busEnded: @escaping @Sendable () -> Void = {}
    ) async throws(DBusError) -> Simulation {
        let simulation = Simulation(fleet, on: bus, loop: loop, busEnded: busEnded)
        do throws(DBusError) {
            try await simulation.startControl()
            try await simulation.startBluetoothd()
        } catch {
            await simulation.stop()
            throw error
        }
        return simulation
    }

    /// Ends the simulation; clients see bluetoothd go.
    package func stop() async {
        await stopBluetoothd()
        control?.tree.close()
        await control?.connection.close()
        control = nil
    }

    /// Pulls the strings of the scene: `try await simulation.direct { try $0.dropLink(of: "greenhouse") }`.
    package func direct<Answer: Sendable>(
        _ body: @Sendable (Scene) throws(SceneError) -> Answer
    ) throws(SceneError) -> Answer {
        try body(scene)
    }

    // MARK: bluetoothd

    /// Starts bluetoothd, as systemd does; its adapters come a moment after its name.
    package func startBluetoothd() async throws(DBusError) {
        let error = await inTurn { simulation in
            do throws(DBusError) {
                try await simulation.start()
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// Ends bluetoothd, as a crash does: its name goes, and nothing else is said.
    package func stopBluetoothd() async {
        _ = await inTurn { simulation in
            await simulation.end()
            return nil
        }
    }

    /// Starts and ends of bluetoothd happen one after the other, in the order in which they were asked for.
    private func inTurn(
        _ body: @escaping @Sendable (isolated Simulation) async -> DBusError?
    ) async -> DBusError? {
        let earlier = turn
        let task = Task(executorPreference: loop.tasks) {
            _ = await earlier?.value
            return await body(self)
        }
        turn = task
        return await task.value
    }

    private func start() async throws(DBusError) {
        guard scene.host == nil else { return }
        let connection = try await Connection.open(bus, loop: loop)
        let host = Host(scene.fleet, in: scene.air, storage: scene.storage, on: connection)
        host.caller = { [weak self] message, number in
            self?.assumeIsolated { $0.call(message, number) }
        }
        scene.host = host
        self.connection = connection
        await connection.onCall { [weak self] message in
            self?.assumeIsolated { $0.scene.host?.handle(message) }
            return true
        }
        await connection.onSignal { [weak self] message in
            self?.assumeIsolated { $0.received(message) }
        }
        do throws(DBusError) {
            try await connection.addMatch(
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''")
            try await connection.requestName("org.bluez")
        } catch {
            await end()
            throw error
        }
        host.start(with: scene.adapters)
    }

    private func end() async {
        if let connection {
            self.connection = nil
            do throws(DBusError) {
                // The bus takes note of an end in its own time, and the next start may be sooner.
                try await connection.releaseName("org.bluez")
            } catch {
                // The bus has gone, and the name with it.
            }
            await connection.close()
        }
        // Only now, since what is under way ends with it, and would say so.
        scene.host?.close()
        scene.host = nil
    }

    private func received(_ signal: Message) {
        guard signal.isSignal("NameOwnerChanged", on: "org.freedesktop.DBus") else { return }
        let names = signal.arguments.compactMap(\.text)
        if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { scene.host?.clientLeft(names[0]) }
    }

    // MARK: Calls of our own

    private func call(_ message: Message, _ number: Int) {
        Task(executorPreference: loop.tasks) { await self.finish(message, number) }
    }

    private func finish(_ message: Message, _ number: Int) async {
        guard let connection else { return }
        let result: Result<[Variant], DBusError>
        do throws(DBusError) {
            // A person answers: BlueZ waits for a minute.
            result = .success(try await connection.call(message, timeout: .seconds(60)).arguments)
        } catch {
            result = .failure(error)
        }
        scene.host?.answered(number, result)
    }

    // MARK: Control

    private func startControl() async throws(DBusError) {
        let connection = try await Connection.open(bus, loop: loop)
        let tree = ObjectTree(on: connection)
        let object = ControlObject(scene) { [weak self] isOn in self?.run(isOn) }
        tree.add(object)
        control = (connection, tree, object)
        await connection.onDisconnect(busEnded)
        await connection.onCall { [weak self] message in
            self?.assumeIsolated { $0.control?.tree.handle(message) }
            return true
        }
        try await connection.requestName(ControlObject.name)
    }

    private nonisolated func run(_ isOn: Bool) {
        Task(executorPreference: loop.tasks) {
            if isOn { try await self.startBluetoothd() } else { await self.stopBluetoothd() }
        }
    }
}
