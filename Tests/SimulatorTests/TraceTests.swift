import DBus
import Testing

/// Signals and replies in the order of a real bluetoothd 5.66.
@Suite struct TraceTests {
    private static let device = "dev_C0_00_00_00_00_04"

    @Test func `a first connection adds the objects in bluetoothd's order`() throws {
        let (paths, signals) = try withSimulation(specimen) { _, client, _ in
            try await client.call("hci0", "Adapter1.SetDiscoveryFilter", .properties(["DuplicateData": .boolean(true)]))
            try await client.call("hci0", "Adapter1.StartDiscovery")
            await client.signals(upTo: "InterfacesAdded dev_C0_00_00_00_00_04 Device1")
            try await client.call(Path.device, "Device1.Connect")
            let signals = await client.signals(upTo: "dev_C0_00_00_00_00_04 UUIDs=… ServicesResolved=true")
            let battery = await client.signals(upTo: "InterfacesAdded dev_C0_00_00_00_00_04 Battery1")
            return (try await client.paths(), signals + battery)
        }
        #expect(
            signals.filter { $0 != "\(Self.device) " } == [
                "\(Self.device) Connected=true",
                "InterfacesAdded service0006 GattService1", "InterfacesAdded char0007 GattCharacteristic1",
                "InterfacesAdded desc0009 GattDescriptor1", "InterfacesAdded char000a GattCharacteristic1",
                "InterfacesAdded char000c GattCharacteristic1", "InterfacesAdded service000e GattService1",
                "InterfacesAdded char000f GattCharacteristic1", "InterfacesAdded desc0011 GattDescriptor1",
                "InterfacesAdded char0012 GattCharacteristic1", "InterfacesAdded desc0014 GattDescriptor1",
                "InterfacesAdded service0015 GattService1", "InterfacesAdded char0016 GattCharacteristic1",
                "InterfacesAdded desc0018 GattDescriptor1", "InterfacesAdded service0019 GattService1",
                "InterfacesAdded char001b GattCharacteristic1", "InterfacesAdded desc001d GattDescriptor1",
                "InterfacesAdded char001e GattCharacteristic1", "InterfacesAdded char0020 GattCharacteristic1",
                "\(Self.device) UUIDs=… ServicesResolved=true", "InterfacesAdded \(Self.device) Battery1",
            ])
        // Parents before their children, the newest child first.
        #expect(
            paths.map { $0.replacing("/org/bluez/hci0/dev_C0_00_00_00_00_04", with: "…") } == [
                "/org/bluez", "/org/bluez/hci0", "…", "…/service0019", "…/service0019/char0020",
                "…/service0019/char001e", "…/service0019/char001b", "…/service0019/char001b/desc001d",
                "…/service0015", "…/service0015/char0016", "…/service0015/char0016/desc0018", "…/service000e",
                "…/service000e/char0012", "…/service000e/char0012/desc0014", "…/service000e/char000f",
                "…/service000e/char000f/desc0011", "…/service0006", "…/service0006/char000c",
                "…/service0006/char000a", "…/service0006/char0007", "…/service0006/char0007/desc0009",
            ])
    }

    @Test func `objects have bluetoothd's properties, in its order`() throws {
        let names = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            var names: [[String]] = []
            let service = "\(Path.device)/service000e"
            for (path, interface) in [
                ("hci0", "Adapter1"), (Path.device, "Device1"), (service, "GattService1"),
                (Path.temperature, "GattCharacteristic1"), (Path.command, "GattCharacteristic1"),
                ("\(Path.temperature)/desc0011", "GattDescriptor1"),
            ] {
                let properties = try await client.call(
                    path, "org.freedesktop.DBus.Properties.GetAll", .string("org.bluez.\(interface)"))
                names.append(properties[0].entries?.compactMap(\.key.text) ?? [])
            }
            return names
        }
        #expect(
            names == [
                [
                    "Address", "AddressType", "Name", "Alias", "Class", "Powered", "Discoverable",
                    "DiscoverableTimeout", "Pairable", "PairableTimeout", "Discovering", "UUIDs", "Modalias", "Roles",
                ],
                [
                    "Address", "AddressType", "Name", "Alias", "Paired", "Bonded", "Trusted", "Blocked",
                    "LegacyPairing", "Connected", "UUIDs", "Adapter", "ServicesResolved",
                ],
                ["UUID", "Device", "Primary", "Includes"],
                ["UUID", "Service", "Value", "Notifying", "Flags", "NotifyAcquired", "MTU"],
                ["UUID", "Service", "Value", "Flags", "WriteAcquired", "MTU"],
                ["UUID", "Characteristic", "Value"],
            ])
    }

    @Test func `reads and notifications are signalled as Value`() throws {
        let signals = try withSimulation(specimen) { _, client, simulation in
            try await client.connect(Path.device)
            await client.forgetSignals()
            try await client.call(Path.temperature, "GattCharacteristic1.ReadValue", .properties([:]))
            try await client.call(Path.temperature, "GattCharacteristic1.StartNotify")
            try await client.control("Notify", .string("specimen"), .string("2A6E"), .bytes([0x70, 8]))
            try await client.control("Notify", .string("specimen"), .string("2A6E"), .bytes([0x70, 8]))
            try await client.call(Path.temperature, "GattCharacteristic1.StopNotify")
            try await client.control("Notify", .string("specimen"), .string("2A6E"), .bytes([0x71, 8]))
            try await client.call(Path.command, "GattCharacteristic1.WriteValue", .bytes([1]), .properties([:]))
            return await client.signalsSoFar()
        }
        // Two equal values are two signals.
        #expect(
            signals == [
                "char000f Value=69,8", "char000f Notifying=true", "char000f Value=70,8", "char000f Value=70,8",
                "char000f Notifying=false",
            ])
    }

    @Test func `a subscription survives a lost connection`() throws {
        let (lost, notifying, found) = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.call(Path.temperature, "GattCharacteristic1.StartNotify")
            await client.forgetSignals()
            try await client.control("DropLink", .string("specimen"))
            let lost = await client.signals(upTo: "InterfacesRemoved")
            let notifying = try await client.property(Path.temperature, "GattCharacteristic1", "Notifying")
            try await client.call(Path.device, "Device1.Connect")
            let found = await client.signals(upTo: "\(Self.device) ServicesResolved=true")
            try await client.control("Notify", .string("specimen"), .string("2A6E"), .bytes([1, 2]))
            await client.signals(upTo: "char000f Value=1,2")
            return (lost, notifying, found)
        }
        #expect(
            lost == [
                "\(Self.device) ServicesResolved=false Connected=false", "InterfacesRemoved \(Self.device) Battery1",
            ])
        #expect(notifying == .boolean(true))
        #expect(
            found == [
                "\(Self.device) Connected=true", "InterfacesAdded \(Self.device) Battery1",
                "\(Self.device) ServicesResolved=true",
            ])
    }

    // The reply goes out between the two signals; a lost connection has one signal.
    @Test func `Disconnect removes the battery, the services and the connection in this order`() throws {
        let signals = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.call(Path.device, "Device1.Disconnect")
            return await client.signals(upTo: "\(Self.device) Connected=false")
        }
        #expect(
            signals == [
                "InterfacesRemoved \(Self.device) Battery1", "\(Self.device) ServicesResolved=false",
                "\(Self.device) Connected=false",
            ])
    }

    @Test func `RemoveDevice removes the objects below the device first`() throws {
        let (signals, second) = try withSimulation(specimen) { _, client, _ in
            try await client.connect(Path.device)
            try await client.call(Path.device, "Device1.Disconnect")
            await client.signals(upTo: "\(Self.device) Connected=false")
            let path = Variant.objectPath("/org/bluez/\(Path.device)")
            try await client.call("hci0", "Adapter1.RemoveDevice", path)
            let signals = await client.signalsSoFar()
            return (signals, try await client.failure("hci0", "Adapter1.RemoveDevice", [path]))
        }
        #expect(
            signals.prefix(3) == [
                "InterfacesRemoved desc0009 GattDescriptor1", "InterfacesRemoved char0007 GattCharacteristic1",
                "InterfacesRemoved char000a GattCharacteristic1",
            ])
        #expect(signals.last == "InterfacesRemoved \(Self.device) Device1")
        #expect(second == DBusError("org.bluez.Error.DoesNotExist", "Does Not Exist"))
    }
}
