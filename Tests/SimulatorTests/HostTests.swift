import DBus
import EventLoop
import Simulator
import System
import TestSupport
import Testing

/// Several hosts on one air, each with its own bluetoothd on its own bus.
@Suite struct HostTests {
    private static let device = "dev_C0_00_00_00_00_04"
    private static let path = "hci0/\(device)"

    private static let hosts = """
        hosts:
          attic: {position: [0, 0], adapters: {hci0: {address: "00:00:5E:00:53:01"}}}
          cellar: {position: [10, 0], adapters: {hci0: {address: "00:00:5E:00:53:02"}}}
        """
    private static let fleet =
        specimen
        .replacingOnce("adapters: {hci0: {address: \"00:00:5E:00:53:01\"}}", with: hosts)
        .replacingOnce("rssi: -50, every: 5ms}", with: "rssi: -50, every: 5ms}\n    position: [0, 0]")
        .replacingOnce("pair: 1ms}", with: "pair: 1ms, connect_timeout: 200ms}")

    /// Runs `body` with simulated hosts, and a client on the bus of each host.
    private func withHosts<Success: Sendable>(
        _ fleet: String = fleet,
        _ body: @escaping @Sendable (isolated LoopActor, _ attic: Client, _ cellar: Client) async throws -> Success
    ) throws -> Success {
        try EventLoop.run { home in
            let folders = [try TemporaryFolder(), try TemporaryFolder()]
            defer { for folder in folders { folder.remove() } }
            var buses: [PrivateBus] = []
            for folder in folders { buses.append(try await PrivateBus(in: folder.path, on: home.loop)) }
            let fleet = try SimulatedFleet.read(yaml: fleet, name: "fleet.yaml")
            let simulation = try await Simulation.start(
                fleet: fleet, buses: buses.map(\.address), loop: home.loop)
            let attic = try await Client(buses[0].address, loop: home.loop)
            let cellar = try await Client(buses[1].address, loop: home.loop)
            let result: Result<Success, any Error>
            do {
                result = .success(try await body(home, attic, cellar))
            } catch {
                result = .failure(error)
            }
            await attic.close()
            await cellar.close()
            await simulation.stop()
            for bus in buses { await bus.stop() }
            return try result.get()
        }
    }

    /// Scans with all advertisements, until the device appears.
    private static func discover(_ client: Client) async throws {
        try await client.call(
            "hci0", "Adapter1.SetDiscoveryFilter",
            .properties(["Transport": .string("le"), "DuplicateData": .boolean(true)]))
        try await client.call("hci0", "Adapter1.StartDiscovery")
        await client.signals(upTo: "InterfacesAdded \(device) Device1")
    }

    private static func strength(_ client: Client) async throws -> Int {
        try #require(try await client.property(path, "Device1", "RSSI")?.integer)
    }

    @Test func `each host receives a peripheral with a strength that depends on the distance`() throws {
        let (near, far, after) = try withHosts { home, attic, cellar in
            try await Self.discover(attic)
            try await Self.discover(cellar)
            let (near, far) = (try await Self.strength(attic), try await Self.strength(cellar))
            try await cellar.control("Move", .string("specimen"), .double(10), .double(0))
            while try await Self.strength(attic) == near { await home.loop.sleep(for: .milliseconds(1)) }
            while try await Self.strength(cellar) == far { await home.loop.sleep(for: .milliseconds(1)) }
            return (near, far, (try await Self.strength(attic), try await Self.strength(cellar)))
        }
        // The shadow of each pair stays: from 1 m to 10 m the strength falls by 27 dB.
        #expect(near - after.0 == 27)
        #expect(after.1 - far == 27)
        #expect(abs(near + 50) < 30)
    }

    @Test func `a host that moves receives all peripherals with other strengths`() throws {
        try withHosts { home, attic, _ in
            try await Self.discover(attic)
            let before = try await Self.strength(attic)
            try await attic.control("Move", .string("attic"), .double(0), .double(-10))
            while try await Self.strength(attic) != before - 27 { await home.loop.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func `the same seed gives the same strengths, and another seed other ones`() throws {
        func strengths(_ seed: Int) throws -> [Int] {
            try withHosts("seed: \(seed)\n\(Self.fleet)") { _, attic, cellar in
                try await Self.discover(attic)
                try await Self.discover(cellar)
                return [try await Self.strength(attic), try await Self.strength(cellar)]
            }
        }
        let first = try strengths(7)
        #expect(try strengths(7) == first)
        #expect(try strengths(8) != first)
    }

    @Test func `a peripheral has one connection over all hosts`() throws {
        let (refused, accepted, events) = try withHosts { _, attic, cellar in
            try await Self.discover(cellar)
            try await Self.discover(attic)
            try await attic.call(Self.path, "Device1.Connect")
            let refused = try await cellar.failure(Self.path, "Device1.Connect")
            try await attic.control("DropLink", .string("specimen"))
            let accepted = try await cellar.failure(Self.path, "Device1.Connect")
            return (refused, accepted, try await cellar.events(of: "specimen"))
        }
        #expect(refused?.message == "le-connection-abort-by-local")
        #expect(accepted == nil)
        #expect(events == ["connected", "disconnected", "connected"])
    }

    @Test func `a peripheral that moves out of range loses its connection, and a host in range can connect`() throws {
        let (lost, failure) = try withHosts { _, attic, cellar in
            try await Self.discover(cellar)
            try await attic.connect(Self.path)
            // 1 km from the attic, which receives nothing there.
            try await attic.control("Move", .string("cellar"), .double(1000), .double(0))
            try await attic.control("Move", .string("specimen"), .double(1000), .double(0))
            let lost = await attic.signals(upTo: "\(Self.device) ServicesResolved=false Connected=false")
            try await cellar.call(Self.path, "Device1.Connect")
            try await cellar.call(Self.path, "Device1.Disconnect")
            return (lost, try await attic.failure(Self.path, "Device1.Connect"))
        }
        #expect(lost == ["\(Self.device) ServicesResolved=false Connected=false"])
        #expect(failure?.message == "le-connection-abort-by-local")
    }

    @Test func `a host without power has no bluetoothd and no connections, and others are not affected`() throws {
        let (absent, rejected, hosts) = try withHosts { _, attic, cellar in
            try await Self.discover(cellar)
            try await attic.connect(Self.path)
            try await cellar.control("HostPowerOff", .string("attic"))
            // The peripheral advertises again as soon as the host is off.
            while try await cellar.control("IsConnected", .string("specimen")).first?.boolean == true {}
            try await cellar.call(Self.path, "Device1.Connect")
            let absent = try await attic.failure("hci0", "Adapter1.StartDiscovery")
            let rejected: String
            do {
                try await attic.control("StartBluetoothd")
                rejected = ""
            } catch let error as DBusError {
                rejected = error.message
            }
            await attic.forgetSignals()
            try await cellar.control("HostPowerOn", .string("attic"))
            await attic.signals(upTo: "InterfacesAdded hci0 Adapter1")
            return (absent, rejected, try await attic.control("Hosts").first?.texts)
        }
        #expect(absent?.name == DBusError.serviceUnknown)
        #expect(rejected == "the host attic is switched off: HostPowerOn switches it on")
        #expect(hosts == ["attic", "cellar"])
    }

    @Test func `bluetoothd of one host stops alone`() throws {
        let (stopped, runs) = try withHosts { _, attic, cellar in
            try await attic.control("StopBluetoothd")
            // The next call is answered when the stop has begun.
            var stopped = try await attic.failure("hci0", "Adapter1.StartDiscovery")
            while stopped == nil { stopped = try await attic.failure("hci0", "Adapter1.StopDiscovery") }
            return (stopped, try await cellar.failure("hci0", "Adapter1.StartDiscovery"))
        }
        #expect(stopped != nil)
        #expect(runs == nil)
    }

    @Test func `an adapter is named with its host, and a change of an unknown object is rejected`() throws {
        let messages = try withHosts { _, attic, _ in
            try await attic.control("SetPower", .string("cellar/hci0"), .boolean(false))
            var messages: [String] = []
            for (method, arguments) in [
                ("SetPower", [.string("hci0"), .boolean(false)]), ("HostPowerOff", [.string("porch")]),
                ("Move", [.string("porch"), .double(0), .double(0)]),
                ("Move", [.string("attic"), .double(.nan), .double(0)]),
            ] as [(String, [Variant])] {
                do throws(DBusError) {
                    let name = "io.bluefleet.Simulator"
                    _ = try await attic.connection.call(
                        Message(call: method, on: name, at: "/", of: name, arguments))
                } catch {
                    messages.append(error.message)
                }
            }
            return messages
        }
        #expect(
            messages == [
                "unknown adapter hci0: it is not in the fleet file or unplugged, or bluetoothd is stopped",
                "unknown host porch: Hosts() lists the hosts of the fleet",
                "porch is no peripheral and no host: Peripherals() and Hosts() list the names of the fleet",
                "attic cannot be moved: give coordinates from -10000 to 10000, in metres",
            ])
    }
}
