import DBus
import EventLoop
import Simulator
import System

/// Runs `body` with a simulated fleet and a client, on a bus of their own.
func withSimulation<Success: Sendable>(
    _ fleet: String, _ body: @escaping @Sendable (isolated LoopActor, Client, Simulation) async throws -> Success
) throws -> Success {
    try EventLoop.run { home in
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let bus = try await PrivateBus(in: folder.path, on: home.loop)
        let fleet = try SimulatedFleet.read(yaml: fleet, name: "fleet.yaml")
        let simulation = try await Simulation.start(fleet: fleet, bus: bus.address, loop: home.loop)
        let client = try await Client(bus.address, loop: home.loop)
        let result: Result<Success, any Error>
        do {
            result = .success(try await body(home, client, simulation))
        } catch {
            result = .failure(error)
        }
        await client.close()
        await simulation.stop()
        await bus.stop()
        return try result.get()
    }
}

/// The fleet of most tests: one peripheral with a climate sensor, a battery and a relay, with short delays.
let specimen = """
    adapters: {hci0: {address: "00:00:5E:00:53:01"}}
    peripherals:
      specimen:
        address: C0:00:00:00:00:04
        advertise: {services: [181A, 180F], rssi: -50, every: 5ms}
        pace: {connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms, disconnect: 10ms, pair: 1ms}
        services:
          - uuid: 181A
            characteristics:
              - {uuid: temperature, flags: [read, notify], value: 21.53}
              - {uuid: humidity, flags: [read, notify], value: 40, notify: 5ms}
          - uuid: 180F
            characteristics: [{uuid: battery_level, flags: [read, notify], value: 93}]
          - uuid: 6e400001-b5a3-f393-e0a9-e50e24dcca9e
            includes: [180F]
            characteristics:
              - {uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e, flags: [read, write, notify], hex: "000000"}
              - {uuid: 6e400003-b5a3-f393-e0a9-e50e24dcca9e, flags: [write-without-response]}
              - {uuid: 6e400004-b5a3-f393-e0a9-e50e24dcca9e, flags: [read, write], bond: true, hex: "01"}
    """

/// The object paths of the specimen, below `/org/bluez`.
enum Path {
    static let device = "hci0/dev_C0_00_00_00_00_04"
    static let temperature = "\(device)/service000e/char000f"
    static let humidity = "\(device)/service000e/char0012"
    static let output = "\(device)/service0019/char001b"
    static let command = "\(device)/service0019/char001e"
    static let locked = "\(device)/service0019/char0020"
}
