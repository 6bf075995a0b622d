import DBus
import EventLoop
import Simulator
import TestSupport
import Testing

/// The faults, by their names in a fleet file.
@Suite struct FaultTests {
    private static let device = "dev_C0_00_00_00_00_04"
    private static let aborted = DBusError("org.bluez.Error.Failed", "le-connection-abort-by-local")

    /// Runs `body` with a peripheral that has these faults and has been discovered.
    private func with<Success: Sendable>(
        _ faults: String, _ body: @escaping @Sendable (Client, Simulation) async throws -> Success
    ) throws -> Success {
        let fleet = specimen.replacingOnce("advertise:", with: "faults: [\(faults)]\n    advertise:")
        return try withSimulation(fleet) { _, client, simulation in
            try await client.discover(Path.device)
            return try await body(client, simulation)
        }
    }

    @Test func `connect hangs: only Disconnect ends the attempt`() throws {
        let (refused, hanging) = try with("connect hangs") { client, _ in
            let answers = client.answers([
                (Path.device, "Device1.Connect", []), (Path.device, "Device1.Connect", []),
            ])
            let refused = await answers.next()
            try await client.call(Path.device, "Device1.Disconnect")
            return (refused, await answers.next())
        }
        #expect(refused == DBusError("org.bluez.Error.Failed", "Operation already in progress"))
        #expect(hanging == DBusError("org.bluez.Error.Failed", "br-connection-canceled"))
    }

    @Test func `connect without link: Connect succeeds without a connection`() throws {
        let (error, connected) = try with("connect without link") { client, _ in
            let error = try await client.failure(Path.device, "Device1.Connect")
            return (error, try await client.property(Path.device, "Device1", "Connected"))
        }
        #expect(error == nil)
        #expect(connected == .boolean(false))
    }

    @Test func `connect aborts: Connect fails after a short connection, the planned number of times`() throws {
        let (errors, signals) = try with("{fault: connect aborts, times: 2}") { client, _ in
            var errors: [DBusError?] = []
            for _ in 0..<3 { errors.append(try await client.failure(Path.device, "Device1.Connect")) }
            return (errors, await client.signals(upTo: "\(Self.device) UUIDs=…"))
        }
        #expect(errors == [Self.aborted, Self.aborted, nil])
        #expect(
            signals.filter { $0.contains("Connected") }.map { $0.hasSuffix("true") }
                == [true, false, true, false, true])
    }

    @Test func `connect in progress: Connect fails`() throws {
        let error = try with("connect in progress") { client, _ in
            try await client.failure(Path.device, "Device1.Connect")
        }
        #expect(error == DBusError("org.bluez.Error.Failed", "Operation already in progress"))
    }

    @Test func `vanishes while connecting: the object is removed and Connect is not answered`() throws {
        let error = try with("vanishes while connecting") { client, _ in
            let message = try Message(
                call: "Connect", on: "org.bluez.Device1", at: "/org/bluez/\(Path.device)", of: "org.bluez")
            await client.connection.send(message)
            await client.signals(upTo: "InterfacesRemoved \(Self.device)")
            try await client.control("SetAdvertising", .string("specimen"), .boolean(false))
            return try await client.failure(Path.temperature, "GattCharacteristic1.StartNotify")
        }
        #expect(error?.name == DBusError.unknownObject)
    }

    @Test func `link lost while resolving: ServicesResolved is never signalled`() throws {
        let signals = try with("link lost while resolving") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            return await client.signals(upTo: "\(Self.device) Connected=false")
        }
        #expect(!signals.contains { $0.contains("ServicesResolved") })
    }

    @Test func `resolved too early: ServicesResolved is signalled before the objects`() throws {
        let signals = try with("resolved too early") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            return await client.signals(upTo: "InterfacesAdded char0020")
        }
        let resolved = try #require(signals.firstIndex { $0.contains("ServicesResolved=true") })
        #expect(resolved < (signals.firstIndex { $0.hasPrefix("InterfacesAdded service") } ?? 0))
    }

    @Test func `resolved without services: there are no service objects`() throws {
        let paths = try with("resolved without services") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "\(Self.device) ServicesResolved=true")
            return try await client.paths()
        }
        #expect(!paths.contains { $0.contains("service") })
    }

    @Test func `battery hidden: Battery1 replaces the service`() throws {
        let paths = try with("battery hidden") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            return try await client.paths()
        }
        #expect(!paths.contains { $0.hasSuffix("service0015") })
        #expect(paths.contains { $0.hasSuffix("service0019") })
    }

    @Test func `long writes refused: a value of more than one packet fails`() throws {
        let keys = "mtu: 23\n    faults: [long writes refused]\n    advertise:"
        let fleet = specimen.replacingOnce("advertise:", with: keys)
        let errors = try withSimulation(fleet) { _, client, _ in
            try await client.discover(Path.device)
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            var errors: [String?] = []
            for count in [20, 21] {
                let arguments: [Variant] = [.bytes([UInt8](repeating: 1, count: count)), .properties([:])]
                errors.append(
                    try await client.failure(Path.output, "GattCharacteristic1.WriteValue", arguments)?.name)
            }
            return errors
        }
        #expect(errors == [nil, "org.bluez.Error.NotSupported"])
    }

    @Test func `operation in progress: a read fails; subscription lost: Notifying stays false`() throws {
        let (read, again, notifying) = try with("{fault: operation in progress, times: 1}, subscription lost") {
            client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            let read = try await client.failure(
                Path.temperature, "GattCharacteristic1.ReadValue", [.properties([:])])
            let again = try await client.failure(
                Path.temperature, "GattCharacteristic1.ReadValue", [.properties([:])])
            try await client.call(Path.temperature, "GattCharacteristic1.StartNotify")
            return (read, again, try await client.property(Path.temperature, "GattCharacteristic1", "Notifying"))
        }
        #expect(read == DBusError("org.bluez.Error.InProgress", "In Progress"))
        #expect(again == nil)
        #expect(notifying == .boolean(false))
    }

    @Test func `operation hangs: a read fails when the connection ends`() throws {
        let (other, hanging) = try with("operation hangs") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            let read = "GattCharacteristic1.ReadValue"
            let answers = client.answers([
                (Path.temperature, read, [.properties([:])]),
                (Path.temperature, read, [.properties(["offset": .uint16(1)])]),
            ])
            let other = await answers.next()
            try await client.control("DropLink", .string("specimen"))
            return (other, await answers.next())
        }
        #expect(other == DBusError("org.bluez.Error.InProgress", "In Progress"))
        #expect(hanging == DBusError("org.bluez.Error.Failed", "Operation failed"))
    }

    @Test func `SetFault and ClearFault change the faults of a running fleet`() throws {
        let (planned, cancelled, unknown) = try with("") { client, _ in
            try await client.control("SetFault", .string("specimen"), .string("connect aborts"), .uint32(0))
            let planned = try await client.failure(Path.device, "Device1.Connect")
            try await client.control("ClearFault", .string("specimen"), .string("connect aborts"))
            let cancelled = try await client.failure(Path.device, "Device1.Connect")
            do throws(DBusError) {
                _ = try await client.connection.call(
                    Message(
                        call: "SetFault", on: "io.bluefleet.Simulator", at: "/", of: "io.bluefleet.Simulator",
                        [.string("specimen"), .string("nonsense"), .uint32(0)]))
                return (planned, cancelled, nil as DBusError?)
            } catch { return (planned, cancelled, error) }
        }
        #expect(planned == Self.aborted)
        #expect(cancelled == nil)
        #expect(unknown?.message.hasPrefix("unknown fault nonsense: expected one of connect hangs, ") == true)
    }

    @Test func `scan dies: the adapter reports discovery and receives nothing`() throws {
        let fleet = """
            adapters:
              hci0: {address: "00:00:5E:00:53:01", faults: [scan dies]}
              hci1: {address: "00:00:5E:00:53:02"}
            peripherals: {beacon: {address: C0:00:00:00:00:01, advertise: {every: 1ms}}}
            """
        let (discovering, paths) = try withSimulation(fleet) { _, client, _ in
            try await client.call("hci0", "Adapter1.StartDiscovery")
            try await client.call("hci1", "Adapter1.StartDiscovery")
            await client.signals(upTo: "InterfacesAdded dev_")
            return (try await client.property("hci0", "Adapter1", "Discovering"), try await client.paths())
        }
        #expect(discovering == .boolean(true))
        #expect(
            paths == ["/org/bluez", "/org/bluez/hci1", "/org/bluez/hci1/dev_C0_00_00_00_00_01", "/org/bluez/hci0"])
    }

    @Test func `never resolves: the device is connected without services`() throws {
        let (signals, connected) = try with("never resolves") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            try await client.control("DropLink", .string("specimen"))
            let signals = await client.signals(upTo: "\(Self.device) Connected=false")
            return (signals, try await client.events(of: "specimen"))
        }
        #expect(!signals.contains { $0.contains("ServicesResolved") || $0.hasPrefix("InterfacesAdded service") })
        #expect(connected == ["connected", "disconnected"])
    }

    @Test func `disconnect hangs, acquire hangs: later calls are answered`() throws {
        let (connected, acquired) = try with("disconnect hangs, acquire hangs") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            _ = client.answers([
                (Path.temperature, "GattCharacteristic1.AcquireNotify", [.properties([:])]),
                (Path.device, "Device1.Disconnect", []),
            ])
            return (
                try await client.property(Path.device, "Device1", "Connected"),
                try await client.property(Path.temperature, "GattCharacteristic1", "NotifyAcquired")
            )
        }
        #expect(connected == .boolean(true))
        #expect(acquired == .boolean(true))
    }

    @Test(
        arguments: [
            ("discovery in progress", "Adapter1.StartDiscovery", "org.bluez.Error.InProgress"),
            ("access denied", "Adapter1.StopDiscovery", "org.freedesktop.DBus.Error.AccessDenied"),
        ])
    func `a fault of the adapter makes its method fail`(fault: String, method: String, name: String) throws {
        let fleet = specimen.replacingOnce("{address: \"00", with: "{faults: [\(fault)], address: \"00")
        let error = try withSimulation(fleet) { _, client, _ in try await client.failure("hci0", method) }
        #expect(error?.name == name)
    }

    @Test func `power blocked: switching on fails with Blocked`() throws {
        let adapter = "{powered: false, faults: [power blocked], address: \"00"
        let (error, powered) = try withSimulation(specimen.replacingOnce("{address: \"00", with: adapter)) {
            _, client, _ in
            let error = try await client.failure(
                "hci0", "org.freedesktop.DBus.Properties.Set",
                [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))])
            return (error, try await client.property("hci0", "Adapter1", "Powered"))
        }
        #expect(error?.name == "org.bluez.Error.Blocked")
        #expect(powered == .boolean(false))
    }

    @Test func `power on fails: switching on fails with Busy`() throws {
        let adapter = "{powered: false, faults: [power on fails], address: \"00"
        let (error, powered) = try withSimulation(specimen.replacingOnce("{address: \"00", with: adapter)) {
            _, client, _ in
            let error = try await client.failure(
                "hci0", "org.freedesktop.DBus.Properties.Set",
                [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))])
            return (error, try await client.property("hci0", "Adapter1", "Powered"))
        }
        #expect(error?.name == "org.bluez.Error.Busy")
        #expect(powered == .boolean(false))
    }
}
