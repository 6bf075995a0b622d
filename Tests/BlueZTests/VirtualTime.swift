import BlueZ
import DBus
import EventLoop
import Simulator
import System

/// Runs `body` with a fixture for a fleet, on a loop whose clock advances by 10 ms with each round trip to the bus.
///
/// A test of a timeout takes as long as its round trips. A message that was sent before arrives before the next step.
func withVirtualTime<Success: Sendable>(
    _ fleet: String, _ body: @escaping @Sendable (isolated LoopActor, Fixture) async throws -> Success
) throws -> Success {
    try EventLoop.run { home in
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // The start of the bus needs the machine's clock.
        let bus = try await PrivateBus(in: folder.path, on: home.loop)
        let address = bus.address
        let result = Result { try runInVirtualTime(fleet, address, body) }
        await bus.stop()
        return try result.get()
    }
}

private func runInVirtualTime<Success: Sendable>(
    _ fleet: String, _ address: String,
    _ body: @escaping @Sendable (isolated LoopActor, Fixture) async throws -> Success
) throws -> Success {
    try EventLoop.run(time: .manual) { home in
        let loop = home.loop
        let pacemaker = try await Connection.open(address, loop: loop)
        Task(executorPreference: loop.tasks) {
            while (try? await pacemaker.callBus("GetId")) != nil { loop.advance(by: .milliseconds(10)) }
        }
        let fleet = try SimulatedFleet.read(yaml: fleet, name: "fleet.yaml")
        let simulation = try await Simulation.start(fleet: fleet, bus: address, loop: loop)
        let central = await Fixture.makeCentral(address, loop)
        let result: Result<Success, any Error>
        do {
            let fixture = Fixture(loop: loop, bus: address, simulation: simulation, central: central)
            result = .success(try await body(home, fixture))
        } catch {
            result = .failure(error)
        }
        await central.close()
        await simulation.stop()
        await pacemaker.close()
        return try result.get()
    }
}
