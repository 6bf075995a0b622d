import DBus
import EventLoop
import Simulator
import TestSupport
import Testing

/// RemoveDevice in different states of the device.
@Suite struct RemovingTests {
    private static let device = "dev_C0_00_00_00_00_04"
    private static let path = Variant.objectPath("/org/bluez/\(Path.device)")

    @Test(arguments: ["5.66", "5.82"])
    func `RemoveDevice removes a connected device after its disconnection`(version: String) throws {
        let signals = try withSimulation("bluetoothd: \(version)\n\(specimen)") { _, client, _ in
            try await client.connect(Path.device)
            await client.forgetSignals()
            try await client.call("hci0", "Adapter1.RemoveDevice", Self.path)
            return await client.signals(upTo: "InterfacesRemoved \(Self.device) Device1")
        }
        let end = try #require(signals.firstIndex { $0.hasSuffix("Connected=false") })
        let gone = try #require(signals.firstIndex { $0.hasPrefix("InterfacesRemoved desc") })
        // 5.82 signals the disconnection before the reply; 5.66 signals it with the removal of the object.
        #expect((end < gone) == (version == "5.82"))
        #expect(signals.count { $0.contains("Connected=") } == 1)
    }

    @Test func `a device removed during service discovery is not stored`() throws {
        let paths = try withSimulation(specimen.replacingOnce("resolve: 5ms", with: "resolve: 200ms")) {
            _, client, simulation in
            try await client.discover(Path.device)
            try await client.call("hci0", "Adapter1.StopDiscovery")
            try await client.call(Path.device, "Device1.Connect")
            try await client.call("hci0", "Adapter1.RemoveDevice", Self.path)
            await client.signals(upTo: "InterfacesRemoved \(Self.device) Device1")
            await simulation.stopBluetoothd()
            try await simulation.startBluetoothd()
            return try await client.paths()
        }
        #expect(paths == ["/org/bluez", "/org/bluez/hci0"])
    }

    @Test func `RemoveDevice fails while the adapter is off`() throws {
        let errors = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.set("hci0", "Adapter1", "Powered", .boolean(false))
            return [
                try await client.failure("hci0", "Adapter1.RemoveDevice", [Self.path]),
                try await client.failure("hci0", "Adapter1.RemoveDevice", [.objectPath("/org/bluez/hci0/dev_0")]),
            ]
        }
        #expect(
            errors == [
                DBusError("org.bluez.Error.NotReady", "Resource Not Ready"),
                DBusError("org.bluez.Error.DoesNotExist", "Does Not Exist"),
            ])
    }

    @Test func `a removed device whose Disconnect hangs appears again without its bond`() throws {
        let fleet = specimen.replacingOnce(
            "address: C0:00:00:00:00:04", with: "address: 40:00:00:00:00:04\n    identity: 00:00:5E:00:53:A1")
        let found = try withSimulation(fleet) { _, client, _ in
            let path = "hci0/dev_40_00_00_00_00_04"
            try await client.call(
                "", "AgentManager1.RegisterAgent", .objectPath("/agent"), .string("NoInputNoOutput"))
            try await client.discover(path)
            try await client.call(path, "Device1.Pair")
            try await client.control("SetFault", .string("specimen"), .string("disconnect hangs"), .uint32(0))
            let removed = client.answers([
                ("hci0", "Adapter1.RemoveDevice", [.objectPath("/org/bluez/\(path)")])
            ])
            _ = try await client.paths()
            try await client.control("DropLink", .string("specimen"))
            await client.signals(upTo: "InterfacesRemoved dev_40_00_00_00_00_04 Device1")
            await client.signals(upTo: "InterfacesAdded dev_40_00_00_00_00_04 Device1")
            removed.close()
            return try await client.property(path, "Device1", "Bonded")
        }
        #expect(found == .boolean(false))
    }
}
