package import DBus
package import EventLoop

/// A fleet of simulated peripherals, and a simulated bluetoothd for each machine.
///
/// Each bluetoothd owns `org.bluez` on a bus of its own.
/// Clients see the objects, signals, errors and delays of a real bluetoothd. Tests change the simulation with `direct`;
/// other programs use the interface `io.bluefleet.Simulator` on the same buses.
@safe package actor Simulation: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    private let scene: Scene
    private var controls: [ControlConnection] = []

    private init(_ fleet: SimulatedFleet, on buses: [String], loop: EventLoop) {
        unsafe unownedExecutor = unsafe loop.asUnownedSerialExecutor()
        self.loop = loop
        scene = Scene(fleet, on: buses, loop: loop)
    }

    /// Simulates a fleet until `stop()`.
    ///
    /// - Parameters:
    ///   - fleet: The fleet to simulate.
    ///   - buses: The addresses of the buses, one for each machine of the fleet, in this order.
    ///   - loop: The event loop that runs the simulation.
    ///   - busEnded: Called on the loop with the address of a bus that has closed the connection.
    /// - Returns: The running simulation.
    /// - Throws: `DBusError` if a bus is not available, or another program owns `org.bluez` there.
    package static func start(
        fleet: SimulatedFleet, buses: [String], loop: EventLoop,
        busEnded: @escaping @Sendable (_ bus: String) -> Void = { _ in }
    ) async throws(DBusError) -> Simulation {
        let simulation = Simulation(fleet, on: buses, loop: loop)
        do throws(DBusError) {
            try await simulation.start(busEnded)
        } catch {
            await simulation.stop()
            throw error
        }
        return simulation
    }

    /// Simulates a fleet with one machine until `stop()`.
    package static func start(
        fleet: SimulatedFleet, bus: String, loop: EventLoop,
        busEnded: @escaping @Sendable (_ bus: String) -> Void = { _ in }
    ) async throws(DBusError) -> Simulation {
        try await start(fleet: fleet, buses: [bus], loop: loop, busEnded: busEnded)
    }

    private func start(_ busEnded: @escaping @Sendable (_ bus: String) -> Void) async throws(DBusError) {
        for machine in scene.machines {
            controls.append(try await ControlConnection.open(scene, of: machine, busEnded: busEnded))
            try await machine.startBluetoothd()
        }
    }

    /// Stops the simulation; clients see the end of bluetoothd.
    package func stop() async {
        await stopBluetoothd()
        let open = controls
        controls = []
        for control in open { await control.close() }
    }

    /// Changes or queries the simulation: `try await simulation.direct { try $0.dropLink(of: "greenhouse") }`.
    ///
    /// - Throws: `SceneError` from `body`.
    package func direct<Answer: Sendable>(
        _ body: @Sendable (Scene) throws(SceneError) -> Answer
    ) throws(SceneError) -> Answer {
        try body(scene)
    }

    /// Starts bluetoothd on each machine; its adapters appear on the bus after the name `org.bluez`.
    package func startBluetoothd() async throws(DBusError) {
        for machine in scene.machines { try await machine.startBluetoothd() }
    }

    /// Stops bluetoothd on each machine as in a crash: `org.bluez` loses its owner, and no other signals are sent.
    package func stopBluetoothd() async {
        for machine in scene.machines { await machine.stopBluetoothd() }
    }
}
