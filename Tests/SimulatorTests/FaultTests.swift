import DBus
import EventLoop
import Simulator
import Testing

/// The faults of the field, each by its name in the fleet's file.
@Suite struct FaultTests {
    private static let device = "dev_C0_00_00_00_00_04"
    private static let aborted = DBusError("org.bluez.Error.Failed", "le-connection-abort-by-local")

    /// The specimen with a fault, heard and not connected.
    private func with<Success: Sendable>(
        _ faults: String, _ body: @escaping @Sendable (Client, Simulation) async throws -> Success
    ) throws -> Success {
        let fleet = specimen.replacing("advertise:", with: "faults: [\(faults)]\n    advertise:")
        return try onStage(fleet) { _, client, simulation in
            try await client.discover(Path.device)
            return try await body(client, simulation)
        }
    }

    @Test func `connect hangs: only Disconnect ends it`() throws {
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

    @Test func `connect without link: success, and not connected`() throws {
        let (error, connected) = try with("connect without link") { client, _ in
            let error = try await client.failure(Path.device, "Device1.Connect")
            return (error, try await client.property(Path.device, "Device1", "Connected"))
        }
        #expect(error == nil)
        #expect(connected == .boolean(false))
    }

    @Test func `connect aborts, as often as planned: the link flashes up`() throws {
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

    @Test func `connect in progress: another one's`() throws {
        let error = try with("connect in progress") { client, _ in
            try await client.failure(Path.device, "Device1.Connect")
        }
        #expect(error == DBusError("org.bluez.Error.Failed", "Operation already in progress"))
    }

    @Test func `vanishes while connecting: the object goes, and no answer comes`() throws {
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

    @Test func `link lost while resolving`() throws {
        let signals = try with("link lost while resolving") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            return await client.signals(upTo: "\(Self.device) Connected=false")
        }
        #expect(!signals.contains { $0.contains("ServicesResolved") })
    }

    @Test func `resolved too early: the objects come after the property`() throws {
        let signals = try with("resolved too early") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            return await client.signals(upTo: "InterfacesAdded char0020")
        }
        let resolved = try #require(signals.firstIndex { $0.contains("ServicesResolved=true") })
        #expect(resolved < (signals.firstIndex { $0.hasPrefix("InterfacesAdded service") } ?? 0))
    }

    @Test func `resolved without services`() throws {
        let paths = try with("resolved without services") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "\(Self.device) ServicesResolved=true")
            return try await client.paths()
        }
        #expect(!paths.contains { $0.contains("service") })
    }

    @Test func `battery hidden: Battery1 in its place`() throws {
        let paths = try with("battery hidden") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "InterfacesAdded \(Self.device) Battery1")
            return try await client.paths()
        }
        #expect(!paths.contains { $0.hasSuffix("service0015") })
        #expect(paths.contains { $0.hasSuffix("service0019") })
    }

    @Test func `operation in progress, subscription lost`() throws {
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

    @Test func `operation hangs: the end of the link ends it`() throws {
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

    @Test func `a fault is planned and cancelled while the fleet runs`() throws {
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
        #expect(unknown?.message.hasPrefix("there is no fault nonsense, only connect hangs, ") == true)
    }

    @Test func `scan dies: discovering, and nothing is heard where others hear`() throws {
        let fleet = """
            adapters:
              hci0: {address: "00:00:5E:00:53:01", faults: [scan dies]}
              hci1: {address: "00:00:5E:00:53:02"}
            peripherals: {beacon: {address: C0:00:00:00:00:01, advertise: {every: 1ms}}}
            """
        let (discovering, paths) = try onStage(fleet) { _, client, _ in
            try await client.call("hci0", "Adapter1.StartDiscovery")
            try await client.call("hci1", "Adapter1.StartDiscovery")
            await client.signals(upTo: "InterfacesAdded dev_")
            return (try await client.property("hci0", "Adapter1", "Discovering"), try await client.paths())
        }
        #expect(discovering == .boolean(true))
        #expect(
            paths == ["/org/bluez", "/org/bluez/hci1", "/org/bluez/hci1/dev_C0_00_00_00_00_01", "/org/bluez/hci0"])
    }

    @Test func `never resolves: connected, and nothing more`() throws {
        let (signals, connected) = try with("never resolves") { client, _ in
            try await client.call(Path.device, "Device1.Connect")
            try await client.control("DropLink", .string("specimen"))
            let signals = await client.signals(upTo: "\(Self.device) Connected=false")
            return (signals, try await client.events(of: "specimen"))
        }
        #expect(!signals.contains { $0.contains("ServicesResolved") || $0.hasPrefix("InterfacesAdded service") })
        #expect(connected == ["connected", "disconnected"])
    }

    @Test func `disconnect hangs, acquire hangs: calls that come later are answered all the same`() throws {
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
    func `an adapter's faults`(fault: String, method: String, name: String) throws {
        let fleet = specimen.replacing("{address: \"00", with: "{faults: [\(fault)], address: \"00")
        let error = try onStage(fleet) { _, client, _ in try await client.failure("hci0", method) }
        #expect(error?.name == name)
    }

    @Test func `power blocked: the adapter stays off`() throws {
        let adapter = "{powered: false, faults: [power blocked], address: \"00"
        let (error, powered) = try onStage(specimen.replacing("{address: \"00", with: adapter)) { _, client, _ in
            let error = try await client.failure(
                "hci0", "org.freedesktop.DBus.Properties.Set",
                [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))])
            return (error, try await client.property("hci0", "Adapter1", "Powered"))
        }
        #expect(error?.name == "org.bluez.Error.Blocked")
        #expect(powered == .boolean(false))
    }

    @Test func `power on fails: the adapter is busy, and stays off`() throws {
        let adapter = "{powered: false, faults: [power on fails], address: \"00"
        let (error, powered) = try onStage(specimen.replacing("{address: \"00", with: adapter)) { _, client, _ in
            let error = try await client.failure(
                "hci0", "org.freedesktop.DBus.Properties.Set",
                [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(true))])
            return (error, try await client.property("hci0", "Adapter1", "Powered"))
        }
        #expect(error?.name == "org.bluez.Error.Busy")
        #expect(powered == .boolean(false))
    }
}
