import Bluetooth
import DBus
import EventLoop
import Foundation
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import BlueZ

/// A service that owns `org.bluez` and sends random replies and signals: the central survives, and then works with a
/// simulated bluetoothd.
@Suite(.ownThreads) struct BusFuzzTests {
    /// The number of signals; the environment may set a larger one.
    private static let count =
        ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_SIGNALS"].flatMap { Int($0) } ?? 3_000

    @Test(arguments: [1, 2] as [UInt64])
    func `random replies and signals of bluetoothd neither crash nor block the central`(seed: UInt64) throws {
        let isConnected = try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let bus = try await PrivateBus(in: folder.path, on: home.loop)
            let service = try await Connection.open(bus.address, loop: home.loop)
            let source = RandomBus(seed: seed &+ SeededGenerator.fuzzSeed)
            await service.onCall { [unowned service] call in
                if let answer = source.answer(to: call) { service.assumeIsolated { $0.send(answer) } }
                return true
            }
            try await service.requestName("org.bluez")
            let central = Central(bus: bus.address, adapters: nil, notifications: .descriptors, loop: home.loop)
            await central.start()
            let sensor = await central.peripheral(at: Fixture.sensor)
            await sensor.onEvent { _ in }
            await sensor.onValue { _, _, _ in }
            _ = await central.observe(ScanFilter()) { _ in }
            var sent = 0
            while sent < Self.count {
                for _ in 0..<50 { await service.send(source.signal()) }
                sent += 50
                // Operations end by themselves, or with the connection; they are not waited for.
                Self.use(sensor, central, source, home.loop)
                try await service.callBus("GetId")
                await home.loop.sleep(for: .milliseconds(1))
            }
            try await service.releaseName("org.bluez")
            await service.close()
            let fleet = try SimulatedFleet.read(yaml: oneSensor, name: "fleet.yaml")
            let simulation = try await Simulation.start(fleet: fleet, bus: bus.address, loop: home.loop)
            while await central.state != .poweredOn { await home.loop.sleep(for: .milliseconds(1)) }
            let other = await central.peripheral(at: Fixture.other)
            let fixture = Fixture(loop: home.loop, bus: bus.address, simulation: simulation, central: central)
            try await fixture.connect(other)
            let isConnected = await other.isConnected
            await central.close()
            await simulation.stop()
            await bus.stop()
            return isConnected
        }
        #expect(isConnected)
    }

    private static func use(
        _ sensor: BlueZ.Peripheral, _ central: Central, _ source: RandomBus, _ loop: EventLoop
    ) {
        let choice = source.choice(6)
        Task(executorPreference: loop.tasks) {
            switch choice {
            case 0: try? await central.find(sensor, within: .milliseconds(10))
            case 1: try? await central.connect(sensor, within: .milliseconds(50))
            case 2: try? await central.cancelConnection(sensor)
            default:
                guard let services = try? await sensor.discoverServices(),
                    let characteristic = services.flatMap(\.characteristics).first
                else { return }
                _ = try? await sensor.readValue(of: characteristic)
                try? await sensor.setNotify(choice.isMultiple(of: 2), for: characteristic)
            }
        }
    }
}

/// Random messages, mostly with the paths, the names and the types of bluetoothd.
private final class RandomBus: @unchecked Sendable {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    func choice(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_04"
    private static let paths = [
        "/", "/org/bluez", "/org/bluez/hci0", "/org/bluez/hci10", device, "\(device)/service0001",
        "\(device)/service0001/char0002", "\(device)/service0001/char0002/desc0003", "\(device)/service0001/char0004",
        "/org/bluez/hci0/dev_C0_00_00_00_00_05", "/org/bluez/hci0/dev_xx", "\(device)/serviceFFFFF/char",
        "/org/bluez/hci0/dev_C0_00_00_00_00_04/service0001/char0002/desc0003/more/levels",
    ]
    private static let interfaces = [
        "org.bluez.Adapter1", "org.bluez.Device1", "org.bluez.GattService1", "org.bluez.GattCharacteristic1",
        "org.bluez.GattDescriptor1", "org.bluez.Battery1", "org.bluez.Unknown1", "org.freedesktop.DBus.Properties",
    ]
    private static let properties = [
        "Address", "AddressType", "Name", "Alias", "Powered", "PowerState", "Discovering", "Roles", "Modalias",
        "Connected",
        "Paired", "Bonded", "Blocked", "RSSI", "TxPower", "UUIDs", "ManufacturerData", "ServiceData",
        "AdvertisingFlags",
        "ServicesResolved", "Adapter", "PreferredBearer", "UUID", "Service", "Characteristic", "Primary", "Includes",
        "Handle", "Flags", "Value", "Notifying", "MTU", "Percentage", "Unknown",
    ]
    private static let texts = [
        "", "C0:00:00:00:00:04", "C0:00:00:00:00:05", "00:00:5E:00:53:01", "random", "public", "on", "off-blocked",
        "central",
        "0000181a-0000-1000-8000-00805f9b34fb", "00002a6e-0000-1000-8000-00805f9b34fb", "read", "notify", "181A", "le",
        "usb:v1D6Bp0246d0542", "\u{202E}x", String(repeating: "x", count: 3000),
    ]

    func signal() -> Message {
        let path = pick(Self.paths)
        let message: Message?
        switch choice(8) {
        case 0:
            message = make(
                "InterfacesAdded", "org.freedesktop.DBus.ObjectManager", "/", [.objectPath(path), interfaceTree()])
        case 1:
            message = make(
                "InterfacesRemoved", "org.freedesktop.DBus.ObjectManager", "/",
                [.objectPath(path), .strings((0..<choice(3)).map { _ in pick(Self.interfaces) })])
        case 2...5:
            message = make(
                "PropertiesChanged", "org.freedesktop.DBus.Properties", path,
                [.string(pick(Self.interfaces)), propertySet(), .strings([pick(Self.properties)])])
        case 6: message = make("Disconnected", "org.bluez.Device1", path, [value(2), value(2)])
        default:
            let members = ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "Disconnected"]
            let interfaces = [
                "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties", "org.bluez.Device1",
            ]
            message = make(pick(members), pick(interfaces), path, (0..<choice(4)).map { _ in value(3) })
        }
        guard let message else { preconditionFailure("a random message is invalid") }
        return message
    }

    private func make(_ member: String, _ interface: String, _ path: String, _ arguments: [Variant]) -> Message? {
        try? Message(signal: member, on: interface, at: path, arguments)
    }

    /// Returns a reply, an error, or no reply.
    func answer(to call: Message) -> Message? {
        switch choice(12) {
        case 0: return nil
        case 1, 2:
            let names = ["Failed", "InProgress", "NotReady", "NotPermitted", "DoesNotExist", "NotConnected", "Odd"]
            return Message(
                answering: call, with: DBusError("org.bluez.Error.\(pick(names))", pick(Self.texts)))
        case 3: return try? Message(replyingTo: call, (0..<choice(3)).map { _ in value(3) })
        default:
            let arguments: [Variant] =
                switch call.member {
                case "GetManagedObjects": [objects()]
                case "GetAll": [propertySet()]
                case "Get": [.variant(value(2))]
                case "ReadValue": [.bytes(bytes())]
                default: []
                }
            return try? Message(replyingTo: call, arguments)
        }
    }

    private func objects() -> Variant {
        let paths = Self.paths.filter { _ in choice(4) > 0 }
        return .dictionary(
            paths.map { Variant.Entry(.objectPath($0), interfaceTree()) }, key: "o", value: "a{sa{sv}}")
    }

    private func interfaceTree() -> Variant {
        let names = Set((0...choice(3)).map { _ in pick(Self.interfaces) })
        return .dictionary(names.map { Variant.Entry(.string($0), propertySet()) }, key: "s", value: "a{sv}")
    }

    private func propertySet() -> Variant {
        var properties: [String: Variant] = [:]
        for _ in 0..<choice(8) {
            let name = pick(Self.properties)
            properties[name] = choice(4) == 0 ? value(3) : usual(name)
        }
        return .properties(properties)
    }

    /// Returns a value with the type that the property has at bluetoothd.
    private func usual(_ name: String) -> Variant {
        switch name {
        case "Powered", "Discovering", "Connected", "Paired", "Bonded", "Blocked", "ServicesResolved", "Primary",
            "Notifying":
            .boolean(choice(2) == 0)
        case "RSSI", "TxPower": .int16(Int16(truncatingIfNeeded: random.next()))
        case "Handle", "MTU": .uint16(UInt16(truncatingIfNeeded: random.next()))
        case "Roles", "UUIDs", "Flags": .strings((0..<choice(4)).map { _ in pick(Self.texts) })
        case "Includes": .objectPaths((0..<choice(3)).map { _ in pick(Self.paths) })
        case "Adapter", "Service", "Characteristic": .objectPath(pick(Self.paths))
        case "Value", "AdvertisingFlags": .bytes(bytes())
        case "Percentage": .byte(UInt8(truncatingIfNeeded: random.next()))
        case "ManufacturerData":
            .dictionary(
                (0..<choice(3)).map { Variant.Entry(.uint16(UInt16($0)), .variant(.bytes(bytes()))) }, key: "q",
                value: "v")
        case "ServiceData": .properties(["0000fcd2-0000-1000-8000-00805f9b34fb": .bytes(bytes())])
        default: .string(pick(Self.texts))
        }
    }

    /// Returns a value of any type.
    private func value(_ depth: Int) -> Variant {
        switch choice(depth == 0 ? 11 : 15) {
        case 0: .byte(UInt8(truncatingIfNeeded: random.next()))
        case 1: .boolean(choice(2) == 0)
        case 2: .int16(Int16(truncatingIfNeeded: random.next()))
        case 3: .uint16(UInt16(truncatingIfNeeded: random.next()))
        case 4: .int32(Int32(truncatingIfNeeded: random.next()))
        case 5: .uint64(random.next())
        case 6: .double(Double(bitPattern: random.next()))
        case 7: .string(pick(Self.texts))
        case 8: .objectPath(pick(Self.paths))
        case 9: .signature(["", "a{sv}", "(ii)"][choice(3)])
        case 10: .bytes(bytes())
        case 11: .variant(value(depth - 1))
        case 12: .structure([value(depth - 1), value(depth - 1)])
        case 13: .array([], of: ["s", "ay", "a{sv}", "v"][choice(4)])
        default: propertySet()
        }
    }

    private func bytes() -> [UInt8] {
        (0..<[0, 1, 2, 20, 600][choice(5)]).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private func pick<Item>(_ items: [Item]) -> Item { items[choice(items.count)] }
}
