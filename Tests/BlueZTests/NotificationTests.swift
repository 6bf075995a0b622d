import Bluetooth
import EventLoop
import Simulator
import Testing

@testable import BlueZ

/// The two ways in which notified values come from bluetoothd.
@Suite struct NotificationTests {
    private static let thermometer = """
        adapters: {hci0: {address: "00:00:5E:00:53:01"}}
        peripherals:
          sensor:
            address: C0:00:00:00:00:04
            advertise: {every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, read: 1ms, subscribe: 1ms, disconnect: 10ms}
            services:
              - uuid: 181A
                characteristics:
                  - {uuid: temperature, flags: [read, notify], hex: "0100"}
                  - {uuid: humidity, flags: [indicate], hex: "0200"}
        """

    private static let temperature = UUID(0x2A6E as UInt16)
    private static let humidity = UUID(0x2A6F as UInt16)

    private static func fleet(_ version: String, _ faults: String = "") -> String {
        "bluetoothd: \"\(version)\"\n"
            + thermometer.replacing("every: 5ms}\n", with: "every: 5ms}\n    faults: [\(faults)]\n")
    }

    /// A central of its own, connected to the sensor, with its characteristics and what it is told.
    private static func connect(
        _ room: Room, _ path: NotificationPath
    ) async throws -> (Central, BlueZ.Peripheral, [BlueZ.Characteristic], Mailbox<String>) {
        let central = Central(bus: room.bus, adapters: nil, notifications: path, loop: room.loop)
        await central.start()
        let sensor = await central.peripheral(at: Room.sensor)
        try await room.connect(sensor, by: central)
        let told = Mailbox<String>()
        await sensor.onEvent { event in
            if case .subscriptionEnded(let characteristic) = event { told.put("\(characteristic.uuid) ended") }
        }
        await sensor.onValue { told.put("\($1.uuid) \([UInt8]($0))") }
        let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
        return (central, sensor, service.characteristics, told)
    }

    /// Whether values come through a descriptor, which bluetoothd tells of each characteristic.
    private static func areAcquired(_ room: Room) async throws -> Bool {
        try await room.simulation.direct { scene throws(SceneError) in try scene.isAcquired(temperature, of: "sensor") }
    }

    private static func notify(_ bytes: [UInt8], from uuid: UUID, in room: Room) async throws {
        try await room.simulation.direct { scene throws(SceneError) in
            try scene.notify(bytes, from: uuid, of: "sensor")
        }
    }

    @Test(arguments: [
        ("5.66", NotificationPath.automatic, false), ("5.82", .automatic, false), ("5.86", .automatic, true),
        ("5.66", .descriptors, true), ("5.86", .signals, false),
    ])
    func `the same values come by either path, in order, the empty ones too`(
        version: String, path: NotificationPath, isByDescriptor: Bool
    ) throws {
        let (isAcquired, values, events) = try inRoom(Self.fleet(version)) { _, room in
            let (central, sensor, characteristics, told) = try await Self.connect(room, path)
            for characteristic in characteristics { try await sensor.setNotify(true, for: characteristic) }
            let isAcquired = try await Self.areAcquired(room)
            try await Self.notify([1, 2], from: Self.temperature, in: room)
            try await Self.notify([], from: Self.temperature, in: room)
            // What is read meanwhile is no notification.
            _ = try await sensor.readValue(of: characteristics[0])
            try await Self.notify([3], from: Self.temperature, in: room)
            try await Self.notify([4], from: Self.temperature, in: room)
            var values: [String] = []
            for _ in 0..<4 { values.append(await told.next() ?? "") }
            try await Self.notify([5], from: Self.humidity, in: room)
            values.append(await told.next() ?? "")
            for characteristic in characteristics { try await sensor.setNotify(false, for: characteristic) }
            try await central.cancelConnection(sensor)
            await central.close()
            return (isAcquired, values, try await room.events())
        }
        #expect(isAcquired == isByDescriptor)
        #expect(values == ["2A6E [1, 2]", "2A6E []", "2A6E [3]", "2A6E [4]", "2A6F [5]"])
        // The subscriptions are cancelled before the link.
        let end = events.firstIndex(of: "disconnected") ?? 0
        #expect(events[..<end].contains("unsubscribed 2A6E"))
        #expect(events[..<end].contains("unsubscribed 2A6F"))
    }

    @Test func `a link that goes takes its descriptors along, and the next has new ones`() throws {
        let values = try inRoom(Self.fleet("5.86")) { _, room in
            let (central, sensor, characteristics, told) = try await Self.connect(room, .automatic)
            try await sensor.setNotify(true, for: characteristics[0])
            try await Self.notify([1], from: Self.temperature, in: room)
            let first = await told.next()
            try await room.dropLink(of: "sensor")
            while await sensor.isConnected { await room.loop.sleep(for: .milliseconds(1)) }
            #expect(await !sensor.isNotifying(characteristics[0]))
            await room.hear(sensor, by: central)
            try await central.connect(sensor)
            let again = Mailbox<String>()
            await sensor.onValue { bytes, _ in again.put("\([UInt8](bytes))") }
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            try await Self.notify([2], from: Self.temperature, in: room)
            let second = await again.next()
            await central.close()
            return [first, second]
        }
        #expect(values == ["2A6E [1]", "[2]"])
    }

    @Test func `what comes between discovery and the renewed subscription is handed on with it`() throws {
        let values = try inRoom(Self.fleet("5.66")) { _, room in
            let (central, sensor, characteristics, told) = try await Self.connect(room, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            try await Self.notify([1], from: Self.temperature, in: room)
            var values = [await told.next()]
            try await room.dropLink(of: "sensor")
            while await sensor.isConnected { await room.loop.sleep(for: .milliseconds(1)) }
            try await room.connect(sensor, by: central)
            _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            // bluetoothd has subscribed again by itself.
            try await Self.notify([2], from: Self.temperature, in: room)
            // It has come when a later call is answered.
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            try await Self.notify([3], from: Self.temperature, in: room)
            while values.last != "2A6E [3]" { values.append(await told.next()) }
            await central.close()
            return values
        }
        #expect(values == ["2A6E [1]", "2A6E [2]", "2A6E [3]"])
    }

    @Test func `what is notified during two reads at once is told once, and what is read is not`() throws {
        let fleet = Self.fleet("5.66").replacing("read: 1ms", with: "read: 50ms")
        let values = try inRoom(fleet) { _, room in
            let (central, sensor, characteristics, told) = try await Self.connect(room, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            let reads = Mailbox<Void>()
            func read() {
                Task(executorPreference: room.loop.tasks) {
                    _ = try? await sensor.readValue(of: characteristics[0])
                    reads.put(())
                }
            }
            read()
            while await sensor.heldValues.isEmpty { await room.loop.sleep(for: .zero) }
            for value: UInt8 in [6, 7] { try await Self.notify([value], from: Self.temperature, in: room) }
            while await sensor.heldValues.values.allSatisfy({ $0.values.count < 2 }) {
                await room.loop.sleep(for: .zero)
            }
            read()
            for _ in 0..<2 { await reads.next() }
            try await Self.notify([8], from: Self.temperature, in: room)
            var values: [String?] = []
            while values.last != "2A6E [8]" { values.append(await told.next()) }
            await central.close()
            return values
        }
        #expect(values == ["2A6E [6]", "2A6E [7]", "2A6E [8]"])
    }

    @Test func `what is notified during a read that is never answered comes all the same, in order`() throws {
        let fleet = Self.fleet("5.66").replacing("read: 1ms", with: "read: 1h")
        let (early, rest) = try inRoom(fleet) { _, room in
            let (central, sensor, characteristics, told) = try await Self.connect(room, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            let outcomes = room.begin { () async throws(CentralError) in
                _ = try await sensor.readValue(of: characteristics[0])
            }
            while await sensor.heldValues.isEmpty { await room.loop.sleep(for: .zero) }
            // One after the other has come: bluetoothd tells of two in one go as of the last.
            for value: UInt8 in 1...16 {
                try await Self.notify([value], from: Self.temperature, in: room)
                while await sensor.heldValues.values.allSatisfy({ $0.values.count < value }) {
                    await room.loop.sleep(for: .zero)
                }
            }
            var early: [String?] = []
            // What was read would be among the last of them.
            for value: UInt8 in 17...20 {
                try await Self.notify([value], from: Self.temperature, in: room)
                early.append(await told.next())
            }
            try await room.dropLink(of: "sensor")
            #expect(await outcomes.next()??.code == .peripheralDisconnected)
            var rest: [String?] = []
            for _ in 0..<16 { rest.append(await told.next()) }
            await central.close()
            return (early, rest)
        }
        #expect(early == (1...4).map { "2A6E [\($0)]" })
        #expect(rest == (5...20).map { "2A6E [\($0)]" })
    }

    @Test func `a descriptor that is never given: the link's end ends the wait, and nothing is stopped`() throws {
        let (error, isUp) = try inRoom(Self.fleet("5.82", "acquire hangs")) { _, room in
            let (central, sensor, characteristics, _) = try await Self.connect(room, .descriptors)
            let outcomes = room.begin { () async throws(CentralError) in
                try await sensor.setNotify(true, for: characteristics[0])
            }
            try await room.dropLink(of: "sensor")
            let error = await outcomes.next() ?? nil
            let isNotifying = await sensor.isNotifying(characteristics[0])
            await central.close()
            return (error, isNotifying)
        }
        #expect(error?.code == .peripheralDisconnected)
        #expect(!isUp)
    }
}
