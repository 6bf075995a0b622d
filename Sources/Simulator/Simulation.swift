package import DBus
package import EventLoop

/// A fleet of simulated peripherals behind a simulated bluetoothd, which owns `org.bluez` on a bus.
///
/// Clients see the objects, signals, errors and delays of a real bluetoothd. Tests change the simulation with `direct`;
/// other programs use the interface `io.bluefleet.Simulator` on the same bus.
@safe package actor Simulation: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    /// The address of the bus that clients use.
    package nonisolated let bus: String
    private let scene: Scene
    private var connection: Connection?
    private let busEnded: @Sendable () -> Void
    /// The last requested start or stop of bluetoothd.
    private var lastSwitch: Task<DBusError?, Never>?
    private var control: (connection: Connection, tree: ObjectTree, object: ControlObject)?

    private init(_ fleet: SimulatedFleet, on bus: String, loop: EventLoop, busEnded: @escaping @Sendable () -> Void) {
        unsafe unownedExecutor = unsafe loop.asUnownedSerialExecutor()
        self.bus = bus
        self.loop = loop
        self.busEnded = busEnded
        scene = Scene(fleet, loop: loop)
    }

    /// Simulates a fleet until `stop()`.
    ///
    /// - Parameters:
    ///   - fleet: The fleet to simulate.
    ///   - bus: The address of the bus.
    ///   - loop: The event loop that runs the simulation.
    ///   - busEnded: Called on the loop when the bus has closed the connection.
    /// - Returns: The running simulation.
    /// - Throws: `DBusError` if the bus is not available, or another program owns `org.bluez` there.
    package static func start(
        fleet: SimulatedFleet, bus: String, loop: EventLoop, busEnded: @escaping @Sendable () -> Void = {}
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

    /// Stops the simulation; clients see the end of bluetoothd.
    package func stop() async {
        await stopBluetoothd()
        control?.tree.close()
        await control?.connection.close()
        control = nil
    }

    /// Changes or queries the simulation: `try await simulation.direct { try $0.dropLink(of: "greenhouse") }`.
    ///
    /// - Throws: `SceneError` from `body`.
    package func direct<Answer: Sendable>(
        _ body: @Sendable (Scene) throws(SceneError) -> Answer
    ) throws(SceneError) -> Answer {
        try body(scene)
    }

    // MARK: bluetoothd

    /// Starts bluetoothd; its adapters appear on the bus after the name `org.bluez`.
    package func startBluetoothd() async throws(DBusError) {
        let error = await inOrder { simulation in
            do throws(DBusError) {
                try await simulation.start()
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// Stops bluetoothd as in a crash: the name `org.bluez` loses its owner, and no other signals are sent.
    package func stopBluetoothd() async {
        _ = await inOrder { simulation in
            await simulation.end()
            return nil
        }
    }

    /// Runs starts and stops of bluetoothd one at a time, in the order of the calls.
    private func inOrder(
        _ body: @escaping @Sendable (isolated Simulation) async -> DBusError?
    ) async -> DBusError? {
        let earlier = lastSwitch
        let task = Task(executorPreference: loop.tasks) {
            _ = await earlier?.value
            return await body(self)
        }
        lastSwitch = task
        return await task.value
    }

    private func start() async throws(DBusError) {
        guard scene.host == nil else { return }
        let connection = try await Connection.open(bus, loop: loop)
        let host = Host(scene.fleet, in: scene.air, storage: scene.storage, on: connection) {
            [weak self] message, number in
            self?.assumeIsolated { $0.call(message, number) }
        }
        scene.started(host)
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
            try await connection.addMatch(
                "type='signal',interface='org.freedesktop.DBus.Properties',arg0='org.bluez.LEAdvertisement1'")
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
                // The bus may detect the closed connection only after the next start.
                try await connection.releaseName("org.bluez")
            } catch {
                // The bus has ended: there is no name to release.
            }
            await connection.close()
        }
        // Closing fails the pending calls; their replies are discarded because the connection is closed.
        scene.host?.close()
        scene.stopped()
    }

    private func received(_ signal: Message) {
        if signal.isSignal("PropertiesChanged", on: "org.freedesktop.DBus.Properties") {
            scene.host?.propertiesChanged(signal)
            return
        }
        guard signal.isSignal("NameOwnerChanged", on: "org.freedesktop.DBus") else { return }
        let names = signal.arguments.compactMap(\.text)
        if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { scene.host?.clientLeft(names[0]) }
    }

    // MARK: Calls of agents

    private func call(_ message: Message, _ number: Int) {
        spawn { await $0.finish(message, number) }
    }

    private func finish(_ message: Message, _ number: Int) async {
        guard let connection else { return }
        let result: Result<[Variant], DBusError>
        do throws(DBusError) {
            // The agent may have to ask a user: BlueZ waits for 60 s.
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
        spawn { simulation in
            // An error is ignored: the name `org.bluez` on the bus shows whether bluetoothd runs.
            if isOn { try? await simulation.startBluetoothd() } else { await simulation.stopBluetoothd() }
        }
    }
}
