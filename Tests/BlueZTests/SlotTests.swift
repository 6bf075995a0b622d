import Bluetooth
import EventLoop
import TestTraits
import Testing

@testable import BlueZ

/// More peripherals than an adapter has slots.
@Suite(.ownThreads) struct SlotTests {
    @Test func `a forgotten peripheral frees its slot, even while it is connected`() throws {
        let counts = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            let before = await fixture.central.connectionUse[0].connections
            await fixture.central.forget(Fixture.sensor)
            return [before, await fixture.central.connectionUse[0].connections]
        }
        #expect(counts == [1, 0])
    }

    @Test func `a peripheral that another program has connected has a slot`() throws {
        let isGranted = try EventLoop.run { home in
            let connections = AdapterConnections(
                capacity: 1, limit: nil, loop: home.loop, recall: { _, _ in }, interrupt: { _ in })
            connections.occupy(Fixture.sensor)
            return await connections.acquire(Fixture.sensor, .background) {}
        }
        #expect(isGranted)
    }

    private static let crowd = """
        adapters: {hci0: {address: "00:00:5E:00:53:01", connections: 5}}
        peripherals:
          sensor:
            address: C0:00:00:00:01:00
            copies: 100
            advertise: {every: 200ms}
            pace: {connect: 1ms, resolve: 1ms, disconnect: 2ms}
            services: [{uuid: 181A, characteristics: [{uuid: temperature, flags: [read], value: 20}]}]
        """

    private static func address(_ number: Int) -> Address { Address(0xC0_00_00_00_01_00 + UInt64(number)) }

    /// Connects, discovers the services, and disconnects.
    private static func visit(_ peripheral: BlueZ.Peripheral, of central: Central) async throws -> Int {
        await central.startScanning(for: peripheral)
        let seen = Mailbox<Void>()
        await peripheral.onEvent { event in
            if case .advertised = event { seen.put(()) }
        }
        _ = await seen.next()
        try await central.connect(peripheral, priority: .session)
        await central.stopScanning(for: peripheral)
        let used = await central.connectionUse[0].connections
        _ = try await peripheral.discoverServices()
        try await central.cancelConnection(peripheral)
        return used
    }

    @Test func `100 peripherals are all connected through five slots`() throws {
        let (used, rest) = try withFixture(Self.crowd) { home, fixture in
            let central = await fixture.makeCentral(connections: 5)
            let visits = Mailbox<Result<Int, any Error>>()
            for number in 0..<100 {
                let peripheral = await central.peripheral(at: Self.address(number))
                Task(executorPreference: fixture.loop.tasks) {
                    do {
                        visits.put(.success(try await Self.visit(peripheral, of: central)))
                    } catch {
                        visits.put(.failure(error))
                    }
                }
            }
            var used: [Int] = []
            while used.count < 100, let visit = await visits.next() { used.append(try visit.get()) }
            let rest = await central.connectionUse
            await central.close()
            return (used, rest)
        }
        #expect((3...5).contains(used.max() ?? 0))
        #expect(rest.map { [$0.connections, $0.waiting] } == [[0, 0]])
        #expect(rest[0].capacity == 5)
    }

    /// Returns a central with one slot, which another peripheral has, and the sensor, which has been seen.
    private static func occupied(
        _ fixture: Fixture
    ) async throws -> (central: Central, sensor: BlueZ.Peripheral, other: BlueZ.Peripheral) {
        let central = await fixture.makeCentral(connections: 1)
        let sensor = await central.peripheral(at: Fixture.sensor)
        let other = await central.peripheral(at: Fixture.other)
        try await fixture.connect(other, by: central)
        await fixture.waitForSighting(of: sensor, by: central)
        return (central, sensor, other)
    }

    @Test func `connect reports the wait for a slot, can be cancelled, and continues when a slot is free`() throws {
        let (events, error, isConnected) = try withFixture { _, fixture in
            let (central, sensor, other) = try await Self.occupied(fixture)
            let events = Mailbox<String>()
            await sensor.onEvent { event in
                if case .advertised = event { return }
                events.put("\(event)")
            }
            let outcomes = Mailbox<CentralError?>()
            let connect = { @Sendable in
                do throws(CentralError) {
                    try await central.connect(sensor)
                    outcomes.put(nil)
                } catch {
                    outcomes.put(error)
                }
            }
            Task(executorPreference: fixture.loop.tasks) { await connect() }
            let first = await events.next()
            try await central.cancelConnection(sensor)
            let error = await outcomes.next() ?? nil
            Task(executorPreference: fixture.loop.tasks) { await connect() }
            let second = await events.next()
            try await central.cancelConnection(other)
            _ = await outcomes.next()
            let third = await events.next()
            let isConnected = await sensor.isConnected
            await central.close()
            return ([first, second, third], error, isConnected)
        }
        #expect(events == ["waitingForSlot(used: 1)", "waitingForSlot(used: 1)", "slotGranted"])
        #expect(error?.code == .cancelled)
        #expect(isConnected)
    }

    @Test func `connect succeeds during the wait if another program connects, and no slot is recalled`() throws {
        let (use, events) = try withFixture { _, fixture in
            let (central, sensor, other) = try await Self.occupied(fixture)
            let events = Mailbox<String>()
            await other.onEvent { event in
                if case .slotRecalled = event { events.put("recalled") }
            }
            let outcomes = fixture.begin { () async throws(CentralError) in try await central.connect(sensor) }
            while await central.connectionUse[0].waiting == 0 { await fixture.loop.sleep(for: .milliseconds(1)) }
            try await fixture.connect(await fixture.central.peripheral(at: Fixture.sensor))
            let error = await outcomes.next() ?? nil
            #expect(error == nil)
            let use = await central.connectionUse[0]
            await central.close()
            return (use, events.count)
        }
        #expect(use.connections == 2)
        #expect(use.waiting == 0)
        #expect(events == 0)
    }

    @Test func `the number of slots is learned from failures if none is configured`() throws {
        let fleet = Self.crowd.replacing("connections: 5", with: "connections: 3").replacing("100\n", with: "6\n")
        let capacity = try withFixture(fleet) { _, fixture in
            for number in 0..<3 {
                try await fixture.connect(await fixture.central.peripheral(at: Self.address(number)))
            }
            for number in [3, 4, 5] {
                let peripheral = await fixture.central.peripheral(at: Self.address(number))
                await fixture.waitForSighting(of: peripheral)
                do throws(CentralError) {
                    try await fixture.central.connect(peripheral)
                } catch {
                    #expect(error.code == .connectionFailed)
                }
            }
            return await fixture.central.connectionUse[0].capacity
        }
        #expect(capacity == 3)
    }
}
