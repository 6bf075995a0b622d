import Bluetooth
import EventLoop
import Simulator
import System
import TestTraits
import Testing

@testable import BlueZ

/// The two paths of notified values: signals and sockets.
@Suite(.ownThreads) struct NotificationTests {
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

    /// Returns a new central that is connected to the sensor, the sensor, its characteristics, and the values it receives.
    private static func connect(
        _ fixture: Fixture, _ path: NotificationPath
    ) async throws -> (Central, BlueZ.Peripheral, [BlueZ.Characteristic], Mailbox<String>) {
        let central = Central(bus: fixture.bus, adapters: nil, notifications: path, loop: fixture.loop)
        await central.start()
        let sensor = await central.peripheral(at: Fixture.sensor)
        try await fixture.connect(sensor, by: central)
        let received = Mailbox<String>()
        await sensor.onEvent { event in
            if case .subscriptionEnded(let characteristic) = event { received.put("\(characteristic.uuid) ended") }
        }
        await sensor.onValue { bytes, characteristic, _ in received.put("\(characteristic.uuid) \([UInt8](bytes))") }
        let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
        return (central, sensor, service.characteristics, received)
    }

    /// Returns whether the temperature is notified through a socket.
    private static func areAcquired(_ fixture: Fixture) async throws -> Bool {
        try await fixture.simulation.direct { scene throws(SceneError) in
            try scene.isAcquired(temperature, of: "sensor")
        }
    }

    private static func notify(_ bytes: [UInt8], from uuid: UUID, in fixture: Fixture) async throws {
        try await fixture.simulation.direct { scene throws(SceneError) in
            try scene.notify(bytes, from: uuid, of: "sensor")
        }
    }

    @Test(arguments: [
        ("5.66", NotificationPath.automatic, false), ("5.82", .automatic, false), ("5.86", .automatic, true),
        ("5.87", .automatic, false),
        ("5.66", .descriptors, true), ("5.86", .signals, false),
    ])
    func `both notification paths deliver the same values in order, including empty ones`(
        version: String, path: NotificationPath, usesSocket: Bool
    ) throws {
        let (isAcquired, values, events) = try withFixture(Self.fleet(version)) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, path)
            for characteristic in characteristics { try await sensor.setNotify(true, for: characteristic) }
            let isAcquired = try await Self.areAcquired(fixture)
            try await Self.notify([1, 2], from: Self.temperature, in: fixture)
            try await Self.notify([], from: Self.temperature, in: fixture)
            // A value that is read is not notified.
            _ = try await sensor.readValue(of: characteristics[0])
            try await Self.notify([3], from: Self.temperature, in: fixture)
            try await Self.notify([4], from: Self.temperature, in: fixture)
            var values: [String] = []
            for _ in 0..<4 { values.append(await received.next() ?? "") }
            try await Self.notify([5], from: Self.humidity, in: fixture)
            values.append(await received.next() ?? "")
            for characteristic in characteristics { try await sensor.setNotify(false, for: characteristic) }
            // bluetoothd notices the end of a socket later, and does not confirm it.
            for uuid in ["2A6E", "2A6F"] where usesSocket {
                while try await !fixture.events().contains("unsubscribed \(uuid)") {
                    await fixture.loop.sleep(for: .milliseconds(1))
                }
            }
            try await central.cancelConnection(sensor)
            await central.close()
            return (isAcquired, values, try await fixture.events())
        }
        #expect(isAcquired == usesSocket)
        #expect(values == ["2A6E [1, 2]", "2A6E []", "2A6E [3]", "2A6E [4]", "2A6F [5]"])
        // The subscriptions end before the connection.
        let end = events.firstIndex(of: "disconnected") ?? 0
        #expect(events[..<end].contains("unsubscribed 2A6E"))
        #expect(events[..<end].contains("unsubscribed 2A6F"))
    }

    @Test func `the sockets end with the connection, and the next connection has new ones`() throws {
        let values = try withFixture(Self.fleet("5.86")) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, .automatic)
            try await sensor.setNotify(true, for: characteristics[0])
            try await Self.notify([1], from: Self.temperature, in: fixture)
            let first = await received.next()
            try await fixture.dropLink(of: "sensor")
            while await sensor.isConnected { await fixture.loop.sleep(for: .milliseconds(1)) }
            #expect(await !sensor.isNotifying(characteristics[0]))
            await fixture.waitForSighting(of: sensor, by: central)
            try await central.connect(sensor)
            let again = Mailbox<String>()
            await sensor.onValue { bytes, _, _ in again.put("\([UInt8](bytes))") }
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            try await Self.notify([2], from: Self.temperature, in: fixture)
            let second = await again.next()
            await central.close()
            return [first, second]
        }
        #expect(values == ["2A6E [1]", "[2]"])
    }

    @Test func `a value between the discovery and the renewed subscription is delivered with the subscription`() throws
    {
        let values = try withFixture(Self.fleet("5.66")) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            try await Self.notify([1], from: Self.temperature, in: fixture)
            var values = [await received.next()]
            try await fixture.dropLink(of: "sensor")
            while await sensor.isConnected { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.connect(sensor, by: central)
            _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            // bluetoothd has renewed the subscription by itself.
            try await Self.notify([2], from: Self.temperature, in: fixture)
            // The value arrives before the reply to a later call.
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            try await Self.notify([3], from: Self.temperature, in: fixture)
            while values.last != "2A6E [3]" { values.append(await received.next()) }
            await central.close()
            return values
        }
        #expect(values == ["2A6E [1]", "2A6E [2]", "2A6E [3]"])
    }

    @Test func `values before the renewed subscription keep their order and the times of their arrival`() throws {
        let (values, isInOrder, spread) = try withFixture(Self.fleet("5.66")) { _, fixture in
            let (central, sensor, characteristics, _) = try await Self.connect(fixture, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            try await fixture.dropLink(of: "sensor")
            while await sensor.isConnected { await fixture.loop.sleep(for: .milliseconds(1)) }
            let arrivals = Mailbox<(UInt8, Instant)>()
            let loop = fixture.loop
            await sensor.onValue { bytes, _, arrival in arrivals.put((bytes[0], arrival ?? loop.now)) }
            try await fixture.connect(sensor, by: central)
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            for value: UInt8 in 1...40 {
                try await Self.notify([value], from: Self.temperature, in: fixture)
                if value == 1 { await fixture.loop.sleep(for: .milliseconds(50)) }
            }
            _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            let notifier = Task(executorPreference: fixture.loop.tasks) {
                for value: UInt8 in 41...60 { try await Self.notify([value], from: Self.temperature, in: fixture) }
            }
            try await sensor.setNotify(true, for: service.characteristics[0])
            try await notifier.value
            var received: [(UInt8, Instant)] = []
            while received.last?.0 != 60 {
                guard let next = await arrivals.next() else { break }
                received.append(next)
            }
            await central.close()
            let times = received.map(\.1)
            return (received.map(\.0), times == times.sorted(), times[1] - times[0])
        }
        #expect(values == Array(1...60))
        #expect(isInOrder)
        #expect(spread >= .milliseconds(50))
    }

    @Test func `a characteristic that notifies often does not displace the early value of another one`() {
        var inbox = ValueInbox()
        let now = Instant(nanoseconds: 0)
        func keep(_ value: UInt8, _ path: String) { inbox.keepEarly([value].span, at: path.utf8.span, now) }
        keep(7, "/door")
        for value in 0..<300 { keep(UInt8(truncatingIfNeeded: value), "/counter") }
        #expect(inbox.takeEarly(of: "/door", at: now).map(\.bytes) == [[7]])
        let counts = inbox.takeEarly(of: "/counter", at: now).map(\.bytes)
        #expect(counts.count == 255 && counts.last == [UInt8(truncatingIfNeeded: 299)])
    }

    @Test func `a value notified during two reads is delivered once, and the read values are not delivered`() throws {
        let fleet = Self.fleet("5.66").replacing("read: 1ms", with: "read: 50ms")
        let values = try withFixture(fleet) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            let reads = Mailbox<Void>()
            func read() {
                Task(executorPreference: fixture.loop.tasks) {
                    _ = try? await sensor.readValue(of: characteristics[0])
                    reads.put(())
                }
            }
            read()
            while await !sensor.isHolding { await fixture.loop.sleep(for: .zero) }
            for value: UInt8 in [6, 7] { try await Self.notify([value], from: Self.temperature, in: fixture) }
            while await sensor.heldCount < 2 { await fixture.loop.sleep(for: .zero) }
            read()
            for _ in 0..<2 { await reads.next() }
            try await Self.notify([8], from: Self.temperature, in: fixture)
            var values: [String?] = []
            while values.last != "2A6E [8]" { values.append(await received.next()) }
            await central.close()
            return values
        }
        #expect(values == ["2A6E [6]", "2A6E [7]", "2A6E [8]"])
    }

    @Test func `values notified during a read without a reply are delivered in order`() throws {
        let fleet = Self.fleet("5.66").replacing("read: 1ms", with: "read: 1h")
        let (early, rest) = try withFixture(fleet) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, .signals)
            try await sensor.setNotify(true, for: characteristics[0])
            let outcomes = fixture.begin { () async throws(CentralError) in
                _ = try await sensor.readValue(of: characteristics[0])
            }
            while await !sensor.isHolding { await fixture.loop.sleep(for: .zero) }
            // One at a time: bluetoothd signals only the last of several changes.
            for value: UInt8 in 1...16 {
                try await Self.notify([value], from: Self.temperature, in: fixture)
                while await sensor.heldCount < value { await fixture.loop.sleep(for: .zero) }
            }
            var early: [String?] = []
            // The value that was read would be among the last 16.
            for value: UInt8 in 17...20 {
                try await Self.notify([value], from: Self.temperature, in: fixture)
                early.append(await received.next())
            }
            try await fixture.dropLink(of: "sensor")
            #expect(await outcomes.next()??.code == .peripheralDisconnected)
            var rest: [String?] = []
            for _ in 0..<16 { rest.append(await received.next()) }
            await central.close()
            return (early, rest)
        }
        #expect(early == (1...4).map { "2A6E [\($0)]" })
        #expect(rest == (5...20).map { "2A6E [\($0)]" })
    }

    @Test func `a burst that exceeds the socket's buffer loses values, and the others arrive one by one`() throws {
        let (values, last) = try withFixture(Self.fleet("5.86")) { _, fixture in
            let (central, sensor, characteristics, received) = try await Self.connect(fixture, .descriptors)
            try await sensor.setNotify(true, for: characteristics[0])
            try await fixture.simulation.direct { scene throws(SceneError) in
                for number in 0..<3000 {
                    let bytes = [UInt8(number >> 8), UInt8(number & 0xFF)]
                    try scene.notify(bytes, from: Self.temperature, of: "sensor")
                }
            }
            var values = [await received.next() ?? ""]
            // bluetoothd drops values while the socket is full, without a report.
            while received.count > 0 { values.append(await received.next() ?? "") }
            try await Self.notify([0xFF, 0xFF], from: Self.temperature, in: fixture)
            var last: String?
            while last != "2A6E [255, 255]" {
                last = await received.next()
                if let last, last != "2A6E [255, 255]" { values.append(last) }
            }
            await central.close()
            return (values, last)
        }
        let numbers = values.compactMap { value -> Int? in
            let bytes = value.dropFirst("2A6E [".count).dropLast().split(separator: ", ").compactMap { Int($0) }
            return bytes.count == 2 ? bytes[0] << 8 | bytes[1] : nil
        }
        // Each packet is one value, also if many are read together.
        #expect(numbers.count == values.count)
        #expect(numbers.count > 200 && numbers.count < 3000)
        #expect(numbers == Array(0..<numbers.count))
        #expect(last == "2A6E [255, 255]")
    }

    @Test func `setNotify fails when the connection is lost before bluetoothd replies to AcquireNotify`() throws {
        let (error, isConnected) = try withFixture(Self.fleet("5.82", "acquire hangs")) { _, fixture in
            let (central, sensor, characteristics, _) = try await Self.connect(fixture, .descriptors)
            let outcomes = fixture.begin { () async throws(CentralError) in
                try await sensor.setNotify(true, for: characteristics[0])
            }
            try await fixture.dropLink(of: "sensor")
            let error = await outcomes.next() ?? nil
            let isNotifying = await sensor.isNotifying(characteristics[0])
            await central.close()
            return (error, isNotifying)
        }
        #expect(error?.code == .peripheralDisconnected)
        #expect(!isConnected)
    }
}

extension BlueZ.Peripheral {
    /// Whether a read is under way.
    fileprivate var isHolding: Bool { inbox.isHolding }
    /// The number of values that are held until the read ends.
    fileprivate var heldCount: Int { inbox.heldCount }
}
