import DBus
import EventLoop
import Simulator
import Testing

/// RemoveDevice, whatever the device is doing.
@Suite struct RemovingTests {
    private static let device = "dev_C0_00_00_00_00_04"
    private static let path = Variant.objectPath("/org/bluez/\(Path.device)")

    @Test(arguments: ["5.66", "5.82"])
    func `a connected device is removed when its link has ended`(version: String) throws {
        let signals = try onStage("bluetoothd: \(version)\n\(specimen)") { _, client, _ in
            try await client.connect(Path.device)
            await client.forgetSignals()
            try await client.call("hci0", "Adapter1.RemoveDevice", Self.path)
            return await client.signals(upTo: "InterfacesRemoved \(Self.device) Device1")
        }
        let end = try #require(signals.firstIndex { $0.hasSuffix("Connected=false") })
        let gone = try #require(signals.firstIndex { $0.hasPrefix("InterfacesRemoved desc") })
        // Either it goes out before the answer, or it waits until the object itself goes.
        #expect((end < gone) == (version == "5.82"))
        #expect(signals.count { $0.contains("Connected=") } == 1)
    }

    @Test func `what is removed while its services are resolved does not come back with bluetoothd`() throws {
        let paths = try onStage(specimen.replacing("resolve: 5ms", with: "resolve: 20ms")) { _, client, simulation in
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

    @Test func `an adapter that is off removes nothing`() throws {
        let errors = try onStage(specimen) { _, client, _ in
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

    @Test func `a bonded device whose Disconnect hangs is removed when the link is lost, and is heard anew`() throws {
        let fleet = specimen.replacing(
            "address: C0:00:00:00:00:04", with: "address: 40:00:00:00:00:04\n    identity: 00:00:5E:00:53:A1")
        let found = try onStage(fleet) { _, client, _ in
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
