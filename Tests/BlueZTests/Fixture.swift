import BlueZ
import Bluetooth
import DBus
import EventLoop
import Simulator
import System
import TestSupport

/// A simulated fleet on a private bus, and a central.
struct Fixture: Sendable {
    let loop: EventLoop
    let bus: String
    let simulation: Simulation
    let central: Central

    /// The peripherals of `oneSensor`.
    static let sensor = Address(0xC0_00_00_00_00_04)
    static let other = Address(0xC0_00_00_00_00_05)
    /// The adapters of `twoAdapters`.
    static let firstAdapter = Address(0x00_00_5E_00_53_01)
    static let secondAdapter = Address(0x00_00_5E_00_53_02)

    /// Returns another central on the same bus, in the state `poweredOn`.
    ///
    /// - Parameters:
    ///   - adapters: The addresses of the adapters to use; nil: all.
    ///   - connections: The number of connections per adapter; nil: it is estimated.
    ///   - disconnectTimeout: The time that bluetoothd has to end a connection.
    ///   - preparation: Called with the central before it starts.
    /// - Returns: The central.
    func makeCentral(
        adapters: [Address]? = nil, connections: Int? = nil, disconnectTimeout: Duration = .seconds(10),
        _ preparation: (Central) async -> Void = { _ in }
    ) async -> Central {
        await Self.makeCentral(
            bus, loop, adapters: adapters, connections: connections, disconnectTimeout: disconnectTimeout, preparation)
    }

    static func makeCentral(
        _ bus: String, _ loop: EventLoop, adapters: [Address]? = nil, connections: Int? = nil,
        disconnectTimeout: Duration = .seconds(10), _ preparation: (Central) async -> Void = { _ in }
    ) async -> Central {
        let central = Central(
            bus: bus, adapters: adapters, connections: connections, disconnectTimeout: disconnectTimeout, loop: loop)
        let states = Mailbox<ManagerState>()
        await central.onStateChange { state, _ in states.put(state) }
        await preparation(central)
        await central.start()
        while let state = await states.next(), state != .poweredOn {}
        return central
    }

    /// Waits until the peripheral is seen.
    func waitForSighting(of peripheral: BlueZ.Peripheral, by other: Central? = nil) async {
        let central = other ?? central
        let events = Mailbox<Void>()
        await peripheral.onEvent { event in
            if case .advertised = event { events.put(()) }
        }
        await central.startScanning(for: peripheral)
        _ = await events.next()
        await central.stopScanning(for: peripheral)
    }

    /// Waits until the peripheral is seen, and connects.
    func connect(_ peripheral: BlueZ.Peripheral, by other: Central? = nil) async throws {
        await waitForSighting(of: peripheral, by: other)
        try await (other ?? central).connect(peripheral)
    }

    /// Begins an operation in a task of its own.
    ///
    /// - Returns: A mailbox for the outcome: an error, or nil.
    func begin(_ operation: @escaping @Sendable () async throws(CentralError) -> Void) -> Mailbox<CentralError?> {
        let outcomes = Mailbox<CentralError?>()
        Task(executorPreference: loop.tasks) {
            do throws(CentralError) {
                try await operation()
                outcomes.put(nil)
            } catch {
                outcomes.put(error)
            }
        }
        return outcomes
    }

    /// Waits until the peripheral is disconnected.
    func waitForEnd(of peripheral: BlueZ.Peripheral) async {
        let events = Mailbox<Void>()
        await peripheral.onEvent { event in
            if case .disconnected = event { events.put(()) }
        }
        if await peripheral.isConnected { _ = await events.next() }
    }

    func isConnected(_ name: String) async throws -> Bool {
        try await simulation.direct { scene throws(SceneError) in try scene.isConnected(name) }
    }

    func dropLink(of name: String) async throws {
        try await simulation.direct { scene throws(SceneError) in try scene.dropLink(of: name) }
    }

    /// Returns what clients did to a peripheral: `subscribed 2A6E`.
    func events(of name: String = "sensor") async throws -> [String] {
        try await simulation.direct { scene throws(SceneError) in
            try scene.events(of: name).filter { $0.client != "bluetoothd" }
                .map { [$0.kind.rawValue, $0.uuid.map { "\($0)" }].compactMap(\.self).joined(separator: " ") }
        }
    }
}

/// Runs `body` with a fixture for a fleet.
func withFixture<Success: Sendable>(
    _ fleet: String = oneSensor, _ body: @escaping @Sendable (isolated LoopActor, Fixture) async throws -> Success
) throws -> Success {
    try EventLoop.run { home in
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bus = try await PrivateBus(in: folder.path, on: home.loop)
        let fleet = try SimulatedFleet.read(yaml: fleet, name: "fleet.yaml")
        let simulation = try await Simulation.start(fleet: fleet, bus: bus.address, loop: home.loop)
        let central = await Fixture.makeCentral(bus.address, home.loop)
        let result: Result<Success, any Error>
        do {
            let fixture = Fixture(loop: home.loop, bus: bus.address, simulation: simulation, central: central)
            result = .success(try await body(home, fixture))
        } catch {
            result = .failure(error)
        }
        await central.close()
        await simulation.stop()
        await bus.stop()
        return try result.get()
    }
}

/// A climate sensor and another device, both with short delays.
let oneSensor = """
    adapters: {hci0: {address: "00:00:5E:00:53:01"}}
    peripherals:
      sensor:
        address: C0:00:00:00:00:04
        advertise: {services: [181A], rssi: -50, every: 5ms}
        pace: {connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms, disconnect: 10ms, pair: 1ms}
        services:
          - uuid: 181A
            characteristics:
              - {uuid: temperature, flags: [read, notify], value: 21.53}
      other:
        address: C0:00:00:00:00:05
        advertise: {every: 5ms}
        pace: {connect: 5ms, resolve: 5ms, disconnect: 10ms}
    """

/// The same devices as in `oneSensor`, received by two adapters.
let twoAdapters = oneSensor.replacingOnce(
    "adapters: {", with: #"adapters: {hci1: {address: "00:00:5E:00:53:02"}, "#)
