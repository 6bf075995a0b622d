import DBus
import Simulator
import TestSupport
import Testing

/// The control interface: bluetoothd, adapters, and the peripherals' side.
@Suite struct ControlTests {
    private static let device = "dev_C0_00_00_00_00_04"

    @Test func `a restarted bluetoothd has its stored devices`() throws {
        let (gone, found, paths) = try withSimulation(specimen) { _, client, simulation in
            try await client.connect(Path.device)
            await client.forgetSignals()
            await simulation.stopBluetoothd()
            let gone = try await client.failure("hci0", "Adapter1.StartDiscovery")
            try await simulation.startBluetoothd()
            let found = await client.signals(upTo: "InterfacesAdded \(Self.device) Device1")
            return (gone, found, try await client.paths())
        }
        #expect(gone?.name == DBusError.serviceUnknown)
        #expect(found.first == "InterfacesAdded bluez AgentManager1 HealthManager1 ProfileManager1")
        #expect(found.contains { $0.hasPrefix("InterfacesAdded hci0 Adapter1") })
        // The device has no services until its next connection.
        #expect(paths == ["/org/bluez", "/org/bluez/hci0", "/org/bluez/hci0/\(Self.device)"])
    }

    @Test func `starts and stops of bluetoothd run in the order of the calls`() throws {
        let paths = try withSimulation(specimen) { _, client, simulation in
            for order in ["StopBluetoothd", "StartBluetoothd", "StopBluetoothd", "StartBluetoothd", "StartBluetoothd"] {
                try await client.connection.send(
                    Message(call: order, on: "io.bluefleet.Simulator", at: "/", of: "io.bluefleet.Simulator"))
            }
            // The next call is answered when all of them have finished.
            _ = try await client.control("Peripherals")
            try await simulation.startBluetoothd()
            return try await client.paths()
        }
        #expect(paths == ["/org/bluez", "/org/bluez/hci0"])
    }

    @Test func `the end of bluetoothd disconnects the peripheral`() throws {
        let events = try withSimulation(specimen) { _, client, simulation in
            try await client.connect(Path.device)
            await simulation.stopBluetoothd()
            return try await client.events(of: "specimen")
        }
        #expect(events == ["connected", "disconnected"])
    }

    @Test func `an unplugged adapter is removed with its objects and returns under another name`() throws {
        let (gone, back, paths) = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.control("RemoveAdapter", .string("hci0"))
            let gone = await client.signals(upTo: "InterfacesRemoved hci0")
            try await client.control("AddAdapter", .string("00:00:5E:00:53:01"), .string("hci1"))
            let back = await client.signals(upTo: "InterfacesAdded \(Self.device)")
            return (gone, back, try await client.paths())
        }
        #expect(gone.contains("InterfacesRemoved \(Self.device) Device1"))
        #expect(back.first?.hasPrefix("InterfacesAdded hci1 Adapter1") == true)
        #expect(paths == ["/org/bluez", "/org/bluez/hci1", "/org/bluez/hci1/\(Self.device)"])
    }

    @Test func `SetPower switches the adapter`() throws {
        let signals = try withSimulation(specimen) { _, client, _ in
            try await client.control("SetPower", .string("hci0"), .boolean(false))
            try await client.control("SetPower", .string("hci0"), .boolean(true))
            return await client.signals(upTo: "hci0 Powered=true")
        }
        #expect(signals == ["hci0 Powered=false", "hci0 Powered=true"])
    }

    @Test func `Service Changed replaces the objects of the services`() throws {
        let signals = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            await client.forgetSignals()
            try await client.control("ChangeServices", .string("specimen"))
            return await client.signals(upTo: "InterfacesRemoved service0019 ")
        }
        #expect(signals.contains("InterfacesRemoved char000f GattCharacteristic1"))
        #expect(signals.contains("InterfacesAdded char010f GattCharacteristic1"))
        #expect(!signals.contains { $0.contains("ServicesResolved") })
    }

    @Test func `services return to their first handles after 256 changes`() throws {
        let paths = try withSimulation(specimen) { _, client, simulation in
            try await simulation.direct { scene throws(SceneError) in
                for _ in 0..<300 { try scene.changeAttributes(of: "specimen") }
            }
            try await client.connect(Path.device)
            return try await client.paths()
        }
        // There are 256 positions, 0x100 handles apart: 300 changes lead to position 44.
        #expect(paths.contains("/org/bluez/\(Path.device)/service2c0e"))
    }

    @Test func `FailConnects makes the next calls of Connect fail`() throws {
        let errors = try withSimulation(specimen) { _, client, _ in
            try await client.discover(Path.device)
            try await client.control(
                "FailConnects", .string("specimen"), .uint32(.max), .string("org.bluez.Error.Failed"), .string("often"))
            let often = try await client.failure(Path.device, "Device1.Connect")
            try await client.control(
                "FailConnects", .string("specimen"), .uint32(1), .string("org.bluez.Error.Failed"),
                .string("le-connection-key-missing"))
            return [
                often,
                try await client.failure(Path.device, "Device1.Connect"),
                try await client.failure(Path.device, "Device1.Connect"),
            ]
        }
        let name = "org.bluez.Error.Failed"
        #expect(errors == [DBusError(name, "often"), DBusError(name, "le-connection-key-missing"), nil])
    }

    @Test func `a written value is copied to its mirror and notified`() throws {
        let value = try withSimulation(
            SimulatedFleet.houseText.replacingOnce("peripherals:", with: "seed: 2\nperipherals:")
        ) {
            _, client, _ in
            let relay = "hci0/dev_C0_00_00_00_00_05"
            try await client.discover(relay)
            try await client.call(relay, "Device1.Connect")
            await client.signals(upTo: "dev_C0_00_00_00_00_05 UUIDs=… ServicesResolved=true")
            try await client.call("\(relay)/service000e/char0011", "GattCharacteristic1.StartNotify")
            try await client.call(
                "\(relay)/service000e/char000f", "GattCharacteristic1.WriteValue", .bytes([1]), .properties([:]))
            return await client.signals(upTo: "char0011 Value=").last
        }
        #expect(value == "char0011 Value=1")
    }

    @Test func `an unknown peripheral is an error`() throws {
        let error = try withSimulation(specimen) { _, client, simulation in
            do throws(SceneError) {
                try await simulation.direct { scene throws(SceneError) in try scene.dropLink(of: "unknown") }
                return nil as SceneError?
            } catch { return error }
        }
        #expect(error == .unknownPeripheral("unknown"))
    }

    @Test func `Introspect describes each object`() throws {
        let (root, device, folder) = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            let introspect = "org.freedesktop.DBus.Introspectable.Introspect"
            return (
                try await client.call("/", introspect)[0].text ?? "",
                try await client.call(Path.device, introspect)[0].text ?? "",
                try await client.call("/org", introspect)[0].text ?? ""
            )
        }
        #expect(root.contains("<node name=\"org\"/>"))
        #expect(device.contains("<method name=\"Connect\"></method>"))
        #expect(device.contains("<property name=\"RSSI\" type=\"n\" access=\"read\"/>"))
        #expect(device.contains("<node name=\"service000e\"/>"))
        #expect(folder.contains("<node name=\"bluez\"/>"))
    }

    @Test func `bluetoothd 5.82 has Handle and PowerState, and its own services are read-only`() throws {
        let (handle, name, error, state) = try withSimulation("bluetoothd: 5.82\n\(specimen)") { _, client, _ in
            try await client.connect(Path.device)
            let name = try await client.call(
                "\(Path.device)/service0001/char0002", "GattCharacteristic1.ReadValue", .properties([:]))
            return (
                try await client.property(Path.temperature, "GattCharacteristic1", "Handle"), name[0].bytes,
                try await client.failure(
                    "\(Path.device)/service0001/char0002", "GattCharacteristic1.WriteValue",
                    [.bytes([1]), .properties([:])]),
                try await client.property("hci0", "Adapter1", "PowerState")
            )
        }
        #expect(handle == .uint16(0xF))
        #expect(name == Array("specimen".utf8))
        #expect(error?.name == "org.bluez.Error.NotAuthorized")
        #expect(state == .string("on"))
    }

    @Test func `an adapter with a delay is signalled`() throws {
        let fleet = specimen.replacingOnce("{address: \"00", with: "{delay: 5ms, address: \"00")
        let signals = try withSimulation(fleet) { _, client, _ in
            var paths = try await client.paths()
            while paths.count < 2 {
                await client.signals(upTo: "InterfacesAdded hci0")
                paths = try await client.paths()
            }
            return paths
        }
        #expect(signals == ["/org/bluez", "/org/bluez/hci0"])
    }
}
