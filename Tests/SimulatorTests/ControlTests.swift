import DBus
import Simulator
import Testing

/// What happens around bluetoothd, and behind the scenes.
@Suite struct ControlTests {
    private static let device = "dev_C0_00_00_00_00_04"

    @Test func `bluetoothd ends without a word and comes back with what it had stored`() throws {
        let (gone, found, paths) = try onStage(specimen) { _, client, simulation in
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
        // The device, without its services until it is connected again.
        #expect(paths == ["/org/bluez", "/org/bluez/hci0", "/org/bluez/hci0/\(Self.device)"])
    }

    @Test func `starts and ends that are asked for at once happen one after the other`() throws {
        let paths = try onStage(specimen) { _, client, simulation in
            for order in ["StopBluetoothd", "StartBluetoothd", "StopBluetoothd", "StartBluetoothd", "StartBluetoothd"] {
                try await client.connection.send(
                    Message(call: order, on: "io.bluefleet.Simulator", at: "/", of: "io.bluefleet.Simulator"))
            }
            // The next one is answered when all of those have happened.
            _ = try await client.control("Peripherals")
            try await simulation.startBluetoothd()
            return try await client.paths()
        }
        #expect(paths == ["/org/bluez", "/org/bluez/hci0"])
    }

    @Test func `the peripheral sees bluetoothd's end as the end of the link`() throws {
        let events = try onStage(specimen) { _, client, simulation in
            try await client.connect(Path.device)
            await simulation.stopBluetoothd()
            return try await client.events(of: "specimen")
        }
        #expect(events == ["connected", "disconnected"])
    }

    @Test func `an adapter is pulled out with all below it, and comes back under another name`() throws {
        let (gone, back, paths) = try onStage(specimen) { _, client, _ in
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

    @Test func `somebody else switches the adapter off and on`() throws {
        let signals = try onStage(specimen) { _, client, _ in
            try await client.control("SetPower", .string("hci0"), .boolean(false))
            try await client.control("SetPower", .string("hci0"), .boolean(true))
            return await client.signals(upTo: "hci0 Powered=true")
        }
        #expect(signals == ["hci0 Powered=false", "hci0 Powered=true"])
    }

    @Test func `services change in mid-connection: other objects come, and the old ones go`() throws {
        let signals = try onStage(specimen) { _, client, _ in
            try await client.connect(Path.device)
            await client.forgetSignals()
            try await client.control("ChangeServices", .string("specimen"))
            return await client.signals(upTo: "InterfacesRemoved service0019 ")
        }
        #expect(signals.contains("InterfacesRemoved char000f GattCharacteristic1"))
        #expect(signals.contains("InterfacesAdded char010f GattCharacteristic1"))
        #expect(!signals.contains { $0.contains("ServicesResolved") })
    }

    @Test func `services that move again and again come back to where they were`() throws {
        let paths = try onStage(specimen) { _, client, simulation in
            try await simulation.direct { scene throws(SceneError) in
                for _ in 0..<300 { try scene.changeAttributes(of: "specimen") }
            }
            try await client.connect(Path.device)
            return try await client.paths()
        }
        // There are 256 places, 0x100 handles from each other: 300 moves are 44.
        #expect(paths.contains("/org/bluez/\(Path.device)/service2c0e"))
    }

    @Test func `the next connections fail with an error of one's choice`() throws {
        let errors = try onStage(specimen) { _, client, _ in
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

    @Test func `a written value is mirrored and notified`() throws {
        let value = try onStage(Fleet.houseText.replacing("peripherals:", with: "seed: 2\nperipherals:")) {
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

    @Test func `what is not in the scene is said`() throws {
        let error = try onStage(specimen) { _, client, simulation in
            do throws(SceneError) {
                try await simulation.direct { scene throws(SceneError) in try scene.dropLink(of: "nobody") }
                return nil as SceneError?
            } catch { return error }
        }
        #expect(error == .unknownPeripheral("nobody"))
    }

    @Test func `every object describes itself`() throws {
        let (root, device, folder) = try onStage(specimen) { _, client, _ in
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

    @Test func `bluetoothd 5.82 tells handles, and shows its own services without letting anybody write`() throws {
        let (handle, name, error, state) = try onStage("bluetoothd: 5.82\n\(specimen)") { _, client, _ in
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

    @Test func `an adapter that comes late is announced`() throws {
        let fleet = specimen.replacing("{address: \"00", with: "{delay: 5ms, address: \"00")
        let signals = try onStage(fleet) { _, client, _ in
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
