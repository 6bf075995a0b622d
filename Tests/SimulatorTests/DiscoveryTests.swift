import DBus
import EventLoop
import TestSupport
import Testing

/// Discovery: sessions, filters, and the lifetime of devices.
@Suite struct DiscoveryTests {
    private static let device = "dev_C0_00_00_00_00_04"

    @Test func `the discovery methods fail with bluetoothd's errors`() throws {
        let errors = try withSimulation(specimen) { home, client, _ in
            func filter(_ filter: [String: Variant]) async throws -> DBusError? {
                try await client.failure("hci0", "Adapter1.SetDiscoveryFilter", [.properties(filter)])
            }
            return [
                try await client.failure("hci0", "Adapter1.StopDiscovery"),
                try await filter(["Nonsense": .boolean(true)]),
                try await filter(["RSSI": .int16(-80), "Pathloss": .uint16(20)]),
                try await filter(["RSSI": .string("-80")]),
                try await filter(["Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-80)]),
                try await client.failure("hci0", "Adapter1.StartDiscovery"),
                try await client.failure("hci0", "Adapter1.StartDiscovery"),
                try await client.failure("hci0", "Adapter1.StopDiscovery"),
            ]
        }
        let invalid = DBusError("org.bluez.Error.InvalidArguments", "Invalid arguments in method call")
        #expect(
            errors == [
                DBusError("org.bluez.Error.Failed", "No discovery started"), invalid, invalid, invalid, nil, nil,
                DBusError("org.bluez.Error.InProgress", "Operation already in progress"), nil,
            ])
    }

    @Test func `a scan ends with its last client`() throws {
        let (during, after) = try withSimulation(specimen) { home, client, _ in
            let other = try await Client(client.connection.address, loop: home.loop)
            try await other.call("hci0", "Adapter1.StartDiscovery")
            try await client.discover(Path.device)
            try await client.call("hci0", "Adapter1.StopDiscovery")
            let during = try await client.property("hci0", "Adapter1", "Discovering")
            await other.close()
            await client.signals(upTo: "hci0 Discovering=false")
            return (during, try await client.property("hci0", "Adapter1", "Discovering"))
        }
        #expect(during == .boolean(true))
        #expect(after == .boolean(false))
    }

    @Test func `RSSI is removed at the end of a scan`() throws {
        let (during, after) = try withSimulation(specimen) { _, client, _ in
            try await client.discover(Path.device)
            let during = try await client.property(Path.device, "Device1", "RSSI")
            try await client.call("hci0", "Adapter1.StopDiscovery")
            await client.signals(upTo: "\(Self.device) -RSSI")
            return (during, try await client.property(Path.device, "Device1", "RSSI"))
        }
        #expect(during == .int16(-50))
        #expect(after == nil)
    }

    @Test func `a device that stops advertising is removed unless it was connected`() throws {
        let fleet = """
            temporary_timeout: 30ms
            \(specimen)
              passer_by: {address: C0:00:00:00:00:05, advertise: {every: 5ms, on: false}}
            """
        let (signals, paths) = try withSimulation(fleet) { _, client, _ in
            try await client.discover(Path.device)
            try await client.call(Path.device, "Device1.Connect")
            await client.signals(upTo: "\(Self.device) Connected=true")
            try await client.call(Path.device, "Device1.Disconnect")
            try await client.control("SetAdvertising", .string("passer_by"), .boolean(true))
            await client.signals(upTo: "InterfacesAdded dev_C0_00_00_00_00_05")
            try await client.control("SetAdvertising", .string("passer_by"), .boolean(false))
            try await client.control("SetAdvertising", .string("specimen"), .boolean(false))
            let signals = await client.signals(upTo: "InterfacesRemoved dev_C0_00_00_00_00_05")
            return (signals, try await client.paths())
        }
        #expect(signals.last == "InterfacesRemoved dev_C0_00_00_00_00_05 Device1")
        #expect(paths.contains("/org/bluez/hci0/\(Self.device)"))
    }

    @Test func `a device with a private address is removed at the end of a scan`() throws {
        let fleet = "peripherals: {phone: {address: 4C:00:00:00:00:01, advertise: {every: 5ms}}}"
        let (signals, paths) = try withSimulation(fleet) { _, client, _ in
            try await client.discover("hci0/dev_4C_00_00_00_00_01")
            try await client.call("hci0", "Adapter1.StopDiscovery")
            return (await client.signals(upTo: "hci0 Discovering=false"), try await client.paths())
        }
        #expect(signals.contains("InterfacesRemoved dev_4C_00_00_00_00_01 Device1"))
        #expect(paths == ["/org/bluez", "/org/bluez/hci0"])
    }

    @Test func `advertised data accumulates without DuplicateData`() throws {
        let fleet = """
            peripherals:
              beacon:
                address: C0:00:00:00:00:07
                advertise:
                  every: 5ms
                  manufacturer_data: {0x0499: ["01", "02"], 0x004C: "aa"}
                  service_data: {FCD2: "40"}
                  tx_power: 4
                appearance: 0x0540
            """
        let (device, signals) = try withSimulation(fleet) { _, client, _ in
            try await client.discover("hci0/dev_C0_00_00_00_00_07")
            let device = try await client.call(
                "hci0/dev_C0_00_00_00_00_07", "org.freedesktop.DBus.Properties.GetAll", .string("org.bluez.Device1"))
            return (
                device[0].dictionary ?? [:], await client.signals(upTo: "dev_C0_00_00_00_00_07 ManufacturerData")
            )
        }
        #expect(device["ServiceData"]?.dictionary == ["0000fcd2-0000-1000-8000-00805f9b34fb": .bytes([0x40])])
        #expect(device["ManufacturerData"]?.entries?.map(\.key.integer) == [0x4C, 0x0499])
        #expect(device["TxPower"] == .int16(4))
        #expect(device["Appearance"] == .uint16(0x0540))
        // Unchanged service data is not signalled again.
        #expect(signals.last == "dev_C0_00_00_00_00_07 ManufacturerData=…")
    }

    @Test func `a filter by services ignores service data`() throws {
        let fleet = """
            peripherals:
              named: {address: C0:00:00:00:00:01, advertise: {every: 5ms, services: [FCD2]}}
              data: {address: C0:00:00:00:00:02, advertise: {every: 1ms, service_data: {FCD2: "40"}}}
            """
        let paths = try withSimulation(fleet) { _, client, _ in
            let service = Variant.strings(["0000fcd2-0000-1000-8000-00805f9b34fb"])
            try await client.call("hci0", "Adapter1.SetDiscoveryFilter", .properties(["UUIDs": service]))
            try await client.call("hci0", "Adapter1.StartDiscovery")
            await client.signals(upTo: "InterfacesAdded")
            return try await client.paths()
        }
        #expect(paths.last == "/org/bluez/hci0/dev_C0_00_00_00_00_01")
    }

    @Test func `an adapter that is switched off removes temporary devices and rejects calls`() throws {
        let fleet = specimen + "\n  passer_by: {address: C0:00:00:00:00:05, advertise: {every: 5ms, on: false}}"
        let (signals, errors, powered) = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            try await client.control("SetAdvertising", .string("passer_by"), .boolean(true))
            try await client.discover("hci0/dev_C0_00_00_00_00_05")
            try await client.set("hci0", "Adapter1", "Powered", .boolean(false))
            let signals = await client.signals(upTo: "hci0")
            let errors = [
                try await client.failure("hci0", "Adapter1.StartDiscovery"),
                try await client.failure("hci0", "Adapter1.StopDiscovery"),
                try await client.failure("hci0", "Adapter1.SetDiscoveryFilter", [.properties([:])]),
                try await client.failure(Path.device, "Device1.Connect"),
            ]
            try await client.set("hci0", "Adapter1", "Powered", .boolean(true))
            return (signals, errors, await client.signals(upTo: "hci0 Powered=true").last)
        }
        #expect(signals.contains("InterfacesRemoved dev_C0_00_00_00_00_05 Device1"))
        #expect(signals.contains("\(Self.device) ServicesResolved=false Connected=false"))
        #expect(signals.last == "hci0 Discovering=false Powered=false")
        let notReady = DBusError("org.bluez.Error.NotReady", "Resource Not Ready")
        #expect(
            errors == [notReady, notReady, notReady, DBusError("org.bluez.Error.Failed", "Input/output error")])
        #expect(powered == "hci0 Powered=true")
    }

    @Test func `a client's filter applies to its next scan too`() throws {
        let fleet = """
            peripherals:
              named: {address: C0:00:00:00:00:01, advertise: {every: 5ms, on: false, services: [180D]}}
              other: {address: C0:00:00:00:00:02, advertise: {every: 1ms}}
            """
        let paths = try withSimulation(fleet) { _, client, _ in
            let service = Variant.strings(["0000180d-0000-1000-8000-00805f9b34fb"])
            try await client.call("hci0", "Adapter1.SetDiscoveryFilter", .properties(["UUIDs": service]))
            try await client.call("hci0", "Adapter1.StartDiscovery")
            try await client.call("hci0", "Adapter1.StopDiscovery")
            try await client.call("hci0", "Adapter1.StartDiscovery")
            try await client.control("SetAdvertising", .string("named"), .boolean(true))
            await client.signals(upTo: "InterfacesAdded dev_C0_00_00_00_00_01")
            return try await client.paths()
        }
        #expect(paths == ["/org/bluez", "/org/bluez/hci0", "/org/bluez/hci0/dev_C0_00_00_00_00_01"])
    }

    @Test(arguments: [("5.66", 7), ("5.82", 7), ("5.86", 8), ("5.87", 8)])
    func `AutoConnect is a filter key since 5.83, and the adapter's name is the version`(
        version: String, count: Int
    ) throws {
        let (keys, error, name) = try withSimulation("bluetoothd: \(version)\n\(specimen)") { _, client, _ in
            let filter = Variant.properties(["AutoConnect": .boolean(true)])
            return (
                try await client.call("hci0", "Adapter1.GetDiscoveryFilters")[0].texts,
                try await client.failure("hci0", "Adapter1.SetDiscoveryFilter", [filter]),
                try await client.property("hci0", "Adapter1", "Name")
            )
        }
        #expect(keys?.count == count)
        #expect(keys?.contains("AutoConnect") == (error == nil))
        #expect(name == .string("BlueZ \(version)"))
    }

    @Test func `a connection to an earlier private address times out`() throws {
        let fleet = """
            peripherals:
              phone:
                address: 4C:00:00:00:00:01
                advertise: {every: 5ms}
                pace: {connect: 1ms, connect_timeout: 50ms}
            """
        let errors = try withSimulation(fleet) { _, client, _ in
            try await client.discover("hci0/dev_4C_00_00_00_00_01")
            try await client.control("ChangeAddress", .string("phone"))
            await client.signals(upTo: "InterfacesAdded dev_")
            let present = try await client.paths().first { $0.contains("dev_") && !$0.hasSuffix("4C_00_00_00_00_01") }
            return [
                try await client.failure("hci0/dev_4C_00_00_00_00_01", "Device1.Connect"),
                try await client.failure(present ?? "", "Device1.Connect"),
            ]
        }
        #expect(errors == [DBusError("org.bluez.Error.Failed", "le-connection-abort-by-local"), nil])
    }

    @Test func `Blocked ends the connection, and two equal services have one UUID`() throws {
        let fleet =
            specimen.replacingOnce("disconnect: 10ms", with: "disconnect: 1h")
            + "\n      - {uuid: 180F, characteristics: []}"
        let (services, signals) = try withSimulation(fleet) { _, client, _ in
            try await client.connect(Path.device)
            let services = try await client.property(Path.device, "Device1", "UUIDs")?.texts
            try await client.set(Path.device, "Device1", "Blocked", .boolean(true))
            return (services ?? [], await client.signals(upTo: "\(Self.device) ServicesResolved=false Connected=false"))
        }
        #expect(services.count == Set(services).count)
        #expect(signals.contains("\(Self.device) Blocked=true"))
    }
}
