import Bluetooth
import DBus
import EventLoop
import Simulator
import Testing

@testable import BlueZ

/// Attempts that get in each other's way, and what is done about them.
@Suite struct ConnectingTests {
    private static func withFaults(_ faults: String) -> String {
        oneSensor.replacing("every: 5ms}\n    pace", with: "every: 5ms}\n    faults: [\(faults)]\n    pace")
    }

    private static func failure(_ body: () async throws(CentralError) -> Void) async -> CentralError? {
        do throws(CentralError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Another program's call, of which nobody waits for the answer.
    private static func call(_ member: String, in room: Room) async throws -> Connection {
        let stranger = try await Connection.open(room.bus, loop: room.loop)
        try await stranger.send(
            Message(
                call: member, on: "org.bluez.Device1", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04", of: "org.bluez"))
        // The bus answers after it has passed the call on.
        _ = try await stranger.callBus("GetId")
        return stranger
    }

    @Test func `one that is blocked is not connected, and what unblocks it is said`() throws {
        let (message, isUp) = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            try await Self.block(true, in: room)
            let error = await Self.failure { () throws(CentralError) in try await room.central.connect(sensor) }
            #expect(try await room.events(of: "sensor") == [])
            try await Self.block(false, in: room)
            try await room.central.connect(sensor)
            return (error?.message, await sensor.isConnected)
        }
        #expect(message?.contains("it is blocked: bluetoothctl unblock C0:00:00:00:00:04") == true)
        #expect(isUp)
    }

    /// Somebody blocks the sensor, or does so no longer.
    private static func block(_ isBlocked: Bool, in room: Room) async throws {
        let somebody = try await Connection.open(room.bus, loop: room.loop)
        _ = try await somebody.call(
            Message(
                call: "Set", on: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_C0_00_00_00_00_04",
                of: "org.bluez", [.string("org.bluez.Device1"), .string("Blocked"), .variant(.boolean(isBlocked))]))
        await somebody.close()
        // The answer goes out before the news; the one to this comes after it.
        let sensor = await room.central.peripheral(at: Room.sensor)
        await room.hear(sensor)
    }

    @Test func `one that does not answer makes way for the others, and comes back`() throws {
        let (isOtherUp, isSensorUp) = try inRoom(Self.withFaults("{fault: connect hangs, times: 1}")) { _, room in
            let (sensor, other) = (
                await room.central.peripheral(at: Room.sensor), await room.central.peripheral(at: Room.other)
            )
            await room.hear(sensor)
            await room.hear(other)
            let outcomes = Mailbox<CentralError?>()
            Task(executorPreference: room.loop.tasks) {
                outcomes.put(await Self.failure { () throws(CentralError) in try await room.central.connect(sensor) })
            }
            // The simulated kernel, like the real one, connects nobody else meanwhile.
            try await room.central.connect(other)
            let isOtherUp = await other.isConnected
            let error = await outcomes.next() ?? nil
            #expect(error == nil)
            return (isOtherUp, await sensor.isConnected)
        }
        #expect(isOtherUp)
        #expect(isSensorUp)
    }

    @Test(arguments: ["5.66", "5.82"])
    func `the attempt of a program that is no more is ended`(version: String) throws {
        let fleet = "bluetoothd: \"\(version)\"\n" + Self.withFaults("{fault: connect hangs, times: 1}")
        let isUp = try inRoom(fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            let stranger = try await Self.call("Connect", in: room)
            await stranger.close()
            try await room.central.connect(sensor)
            return await sensor.isConnected
        }
        #expect(isUp)
    }

    @Test func `an attempt that cannot be ended costs bluetoothd what it knows of the device, once`() throws {
        let (repairs, error, isUp) = try inRoom(Self.withFaults("{fault: connect in progress, times: 2}")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            let repairs = Mailbox<Repair>()
            await room.central.onRepair { repair, _, _ in repairs.put(repair) }
            await room.hear(sensor)
            let error = await Self.failure { () throws(CentralError) in try await room.central.connect(sensor) }
            let count = repairs.count
            try await room.connect(sensor)
            return ((count, await repairs.next()), error, await sensor.isConnected)
        }
        #expect(repairs.0 == 1)
        #expect(repairs.1 == .removeDevice(Room.sensor))
        #expect(error?.code == .notFound)
        #expect(isUp)
    }

    @Test func `a link that does not end: the device is removed, then the adapter switched off and on`() throws {
        let (repairs, errors) = try inRoom(Self.withFaults("disconnect hangs")) { _, room in
            let central = Central(bus: room.bus, adapters: nil, endLimit: .milliseconds(50), loop: room.loop)
            let repairs = Mailbox<Repair>()
            await central.onRepair { repair, _, _ in repairs.put(repair) }
            await central.start()
            let sensor = await central.peripheral(at: Room.sensor)
            try await room.connect(sensor, by: central)
            let first = await Self.failure { () throws(CentralError) in try await central.cancelConnection(sensor) }
            let second = await Self.failure { () throws(CentralError) in try await central.cancelConnection(sensor) }
            let count = repairs.count
            await central.close()
            return ((count, await repairs.next()), [first, second].map { $0?.code })
        }
        // Not twice in a row: the next step comes later.
        #expect(repairs.0 == 1)
        #expect(repairs.1 == .removeDevice(Room.sensor))
        #expect(errors == [.timeout, .timeout])
    }

    @Test func `a link that is being ended and does not end is no link to use, and is repaired`() throws {
        let (error, repair) = try inRoom(Self.withFaults("disconnect hangs")) { _, room in
            let central = Central(bus: room.bus, adapters: nil, endLimit: .milliseconds(50), loop: room.loop)
            await central.start()
            let sensor = await central.peripheral(at: Room.sensor)
            try await room.connect(sensor, by: central)
            let repairs = Mailbox<Repair>()
            await central.onRepair { repair, _, _ in repairs.put(repair) }
            await central.takeForLate(Room.sensor)
            let error = await Self.failure { () throws(CentralError) in try await central.connect(sensor) }
            let repair = repairs.count == 1 ? await repairs.next() : nil
            await central.close()
            return (error, repair)
        }
        #expect(error?.code == .timeout)
        #expect(repair == .removeDevice(Room.sensor))
    }

    @Test func `another program's link is left alone once the owner has let go`() throws {
        let isUp = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            await room.central.takeForEnded(Room.sensor)
            try await room.central.cancelConnection(sensor)
            let stranger = try await Self.call("Connect", in: room)
            while await !sensor.isConnected { await room.loop.sleep(for: .milliseconds(1)) }
            // A whole link of another peripheral later, there has been time enough.
            let other = await room.central.peripheral(at: Room.other)
            try await room.connect(other)
            try await room.central.cancelConnection(other)
            await stranger.close()
            return try await room.isConnected("sensor")
        }
        #expect(isUp)
    }

    @Test func `who gives up while connecting leaves no attempt and no link behind`() throws {
        let events = try inRoom(oneSensor.replacing("pace: {connect: 5ms", with: "pace: {connect: 20ms")) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            // At whatever moment the end comes.
            for delay in 0..<30 {
                let outcomes = Mailbox<CentralError?>()
                Task(executorPreference: room.loop.tasks) {
                    outcomes.put(
                        await Self.failure { () throws(CentralError) in try await room.central.connect(sensor) })
                }
                while await room.central.connectionUse[0].connections == 0 { await room.loop.sleep(for: .zero) }
                await room.loop.sleep(for: .milliseconds(delay))
                try await room.central.cancelConnection(sensor)
                _ = await outcomes.next()
                #expect(await !sensor.isConnected)
                #expect(await room.central.connectionUse[0].connections == 0)
            }
            try await room.connect(sensor)
            try await room.central.cancelConnection(sensor)
            return try await room.events()
        }
        #expect(events.count { $0 == "connected" } == events.count { $0 == "disconnected" })
    }

    @Test(arguments: ["5.66", "5.82"])
    func `one that speaks both kinds of Bluetooth is connected by LE, or it is said what that takes`(
        version: String
    ) throws {
        let fleet = "bluetoothd: \"\(version)\"\n" + Self.withFaults("classic first")
        let (error, isUp) = try inRoom(fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await room.hear(sensor)
            let error = await Self.failure { () throws(CentralError) in try await room.central.connect(sensor) }
            return (error, await sensor.isConnected)
        }
        // An early bluetoothd cannot be told.
        #expect(isUp == (version != "5.66"))
        #expect(error?.message.contains("ControllerMode = le") == (isUp ? nil : true))
    }

    @Test func `after a connect that failed the scan rests until the services are resolved`() throws {
        let (states, isUp) = try inRoom(Self.withFaults("{fault: connect aborts, times: 1}")) { _, room in
            let (sensor, other) = (
                await room.central.peripheral(at: Room.sensor), await room.central.peripheral(at: Room.other)
            )
            let observer = try await Connection.open(room.bus, loop: room.loop)
            let states = Mailbox<String>()
            await observer.onSignal { message in
                guard let changed = message.arguments.dropFirst().first?.dictionary else { return }
                if let isOn = changed["Discovering"]?.boolean { states.put("scan \(isOn)") }
                if let isOn = changed["Connected"]?.boolean { states.put("link \(isOn)") }
                if changed["ServicesResolved"]?.boolean == true { states.put("resolved") }
            }
            try await observer.addMatch("type='signal',member='PropertiesChanged'")
            await room.central.seek(sensor)
            // Somebody else is still looked for.
            await room.central.seek(other)
            await room.hear(sensor)
            try await room.central.connect(sensor)
            _ = try await sensor.discoverServices()
            var heard: [String] = []
            while heard.count(where: { $0 == "scan true" }) < 2, let state = await states.next() { heard.append(state) }
            await observer.close()
            return (heard, await sensor.isConnected)
        }
        #expect(states == ["scan true", "link true", "link false", "scan false", "link true", "resolved", "scan true"])
        #expect(isUp)
    }
}

extension Central {
    /// Takes the peripheral's link for one that comes of an attempt that had been ended before.
    fileprivate func takeForLate(_ address: Address) {
        chased.insert(address)
    }

    /// As if an attempt to connect it had just been interrupted.
    fileprivate func takeForEnded(_ address: Address) {
        endedAttempts[address] = loop.now
    }
}
