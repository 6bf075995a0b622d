import Bluetooth
import EventLoop
import Testing

@testable import BlueZ

/// More peripherals than an adapter holds.
@Suite struct SlotTests {
    @Test func `who is forgotten gives its slot back, whatever becomes of its link`() throws {
        let counts = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            let before = await room.central.connectionUse[0].connections
            await room.central.forget(Room.sensor)
            return [before, await room.central.connectionUse[0].connections]
        }
        #expect(counts == [1, 0])
    }

    @Test func `who has a link that nobody asked for has its slot`() throws {
        let isGranted = try EventLoop.run { home in
            let links = AdapterLinks(capacity: 1, limit: nil, loop: home.loop, recall: { _ in }, interrupt: { _ in })
            links.occupy(Room.sensor)
            return await links.acquire(Room.sensor, .background) {}
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

    /// Connects, looks at the services, lets go.
    private static func visit(_ peripheral: BlueZ.Peripheral, of central: Central) async throws -> Int {
        await central.seek(peripheral)
        let heard = Mailbox<Void>()
        await peripheral.onEvent { event in
            if case .advertised = event { heard.put(()) }
        }
        _ = await heard.next()
        try await central.connect(peripheral, priority: .session)
        await central.stopSeeking(peripheral)
        let used = await central.connectionUse[0].connections
        _ = try await peripheral.discoverServices()
        try await central.cancelConnection(peripheral)
        return used
    }

    @Test func `a hundred on five slots all have their turn`() throws {
        let (used, rest) = try inRoom(Self.crowd) { home, room in
            let central = await room.makeCentral(connections: 5)
            let visits = Mailbox<Result<Int, any Error>>()
            for number in 0..<100 {
                let peripheral = await central.peripheral(at: Self.address(number))
                Task(executorPreference: room.loop.tasks) {
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
        #expect(used.max() == 5)
        #expect(rest.map { [$0.connections, $0.waiting] } == [[0, 0]])
        #expect(rest[0].capacity == 5)
    }

    /// A central with one connection, which another peripheral has, and a sensor that it hears.
    private static func occupied(
        _ room: Room
    ) async throws -> (central: Central, sensor: BlueZ.Peripheral, other: BlueZ.Peripheral) {
        let central = await room.makeCentral(connections: 1)
        let sensor = await central.peripheral(at: Room.sensor)
        let other = await central.peripheral(at: Room.other)
        try await room.connect(other, by: central)
        await room.hear(sensor, by: central)
        return (central, sensor, other)
    }

    @Test func `who waits is told so, may give up, and is served when there is room`() throws {
        let (told, error, isUp) = try inRoom { _, room in
            let (central, sensor, other) = try await Self.occupied(room)
            let told = Mailbox<String>()
            await sensor.onEvent { event in
                if case .advertised = event { return }
                told.put("\(event)")
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
            Task(executorPreference: room.loop.tasks) { await connect() }
            let first = await told.next()
            try await central.cancelConnection(sensor)
            let error = await outcomes.next() ?? nil
            Task(executorPreference: room.loop.tasks) { await connect() }
            let second = await told.next()
            try await central.cancelConnection(other)
            _ = await outcomes.next()
            let third = await told.next()
            let isUp = await sensor.isConnected
            await central.close()
            return ([first, second, third], error, isUp)
        }
        #expect(told == ["waitingForSlot(used: 1)", "waitingForSlot(used: 1)", "slotGranted"])
        #expect(error?.code == .cancelled)
        #expect(isUp)
    }

    @Test func `who waits while another program makes the link has it, and nobody leaves for it`() throws {
        let (use, told) = try inRoom { _, room in
            let (central, sensor, other) = try await Self.occupied(room)
            let told = Mailbox<String>()
            await other.onEvent { event in
                if case .slotRecalled = event { told.put("recalled") }
            }
            let outcomes = room.begin { () async throws(CentralError) in try await central.connect(sensor) }
            while await central.connectionUse[0].waiting == 0 { await room.loop.sleep(for: .milliseconds(1)) }
            try await room.connect(await room.central.peripheral(at: Room.sensor))
            let error = await outcomes.next() ?? nil
            #expect(error == nil)
            let use = await central.connectionUse[0]
            await central.close()
            return (use, told.count)
        }
        #expect(use.connections == 2)
        #expect(use.waiting == 0)
        #expect(told == 0)
    }

    @Test func `a limit that nobody has said is learned from what fails`() throws {
        let fleet = Self.crowd.replacing("connections: 5", with: "connections: 3").replacing("100\n", with: "6\n")
        let capacity = try inRoom(fleet) { _, room in
            for number in 0..<3 { try await room.connect(await room.central.peripheral(at: Self.address(number))) }
            for number in [3, 4, 5] {
                let peripheral = await room.central.peripheral(at: Self.address(number))
                await room.hear(peripheral)
                do throws(CentralError) {
                    try await room.central.connect(peripheral)
                } catch {
                    #expect(error.code == .connectionFailed)
                }
            }
            return await room.central.connectionUse[0].capacity
        }
        #expect(capacity == 3)
    }
}
