import Bluetooth
import EventLoop
import Simulator
import Testing

@testable import BlueZ

/// Several adapters: which of them a peripheral is connected through, and what happens when they come and go.
@Suite struct AdapterTests {
    private static let fleet = """
        adapters:
          hci0: {address: "00:00:5E:00:53:01", connections: 1}
          hci1: {address: "00:00:5E:00:53:02"}
        peripherals:
          sensor:
            address: C0:00:00:00:00:04
            advertise: {rssi: -80, strengths: {hci1: -50}, every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, read: 1ms, disconnect: 10ms, pair: 1ms}
            services:
              - uuid: 181A
                characteristics: [{uuid: temperature, flags: [read, notify], value: 21.53}]
          third:
            address: C0:00:00:00:00:06
            advertise: {strengths: {hci0: -90, hci1: -50}, every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, disconnect: 10ms}
          other:
            address: C0:00:00:00:00:05
            advertise: {strengths: {hci0: -50, hci1: -90}, every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, disconnect: 10ms, pair: 1ms}
        """

    /// Waits until a peripheral is taken to be reached best through an adapter.
    private static func waitForRoute(
        to peripheral: BlueZ.Peripheral, through adapter: String, _ room: Room, by central: Central? = nil
    ) async {
        let central = central ?? room.central
        await central.seek(peripheral)
        while await peripheral.adapterName != adapter { await room.loop.sleep(for: .milliseconds(1)) }
        await central.stopSeeking(peripheral)
    }

    @Test func `the adapter that hears it best connects it, and its services are found there`() throws {
        let (adapter, uuids) = try inRoom(Self.fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            try await room.central.connect(sensor)
            let services = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            return (await sensor.adapterName, services.flatMap(\.characteristics).map(\.uuid))
        }
        #expect(adapter == "hci1")
        #expect(uuids == [UUID(0x2A6E as UInt16)])
    }

    @Test func `the choice follows the strengths, but not while there is a link`() throws {
        let (during, after) = try inRoom(Self.fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            try await room.central.connect(sensor)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-30, of: "sensor", at: "hci0")
            }
            // A whole link of another peripheral later, there has been time enough.
            let other = await room.central.peripheral(at: Room.other)
            try await room.connect(other)
            let during = await sensor.adapterName
            try await room.central.cancelConnection(other)
            try await room.central.cancelConnection(sensor)
            await Self.waitForRoute(to: sensor, through: "hci0", room)
            return (during, await sensor.adapterName)
        }
        #expect(during == "hci1")
        #expect(after == "hci0")
    }

    @Test func `an adapter that is full leaves it to another`() throws {
        let (first, second) = try inRoom(Self.fleet) { _, room in
            let central = await room.makeCentral(connections: 1)
            let (sensor, other) = (await central.peripheral(at: Room.sensor), await central.peripheral(at: Room.other))
            await Self.waitForRoute(to: other, through: "hci0", room, by: central)
            try await central.connect(other)
            // The other one must have heard it, to be chosen.
            await Self.waitForRoute(to: sensor, through: "hci1", room, by: central)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-30, of: "sensor", at: "hci0")
            }
            await Self.waitForRoute(to: sensor, through: "hci0", room, by: central)
            try await central.connect(sensor)
            let names = (await other.adapterName, await sensor.adapterName)
            await central.close()
            return names
        }
        #expect(first == "hci0")
        #expect(second == "hci1")
    }

    @Test func `who waits for a slot moves to the adapter that has one first`() throws {
        let (waiting, adapters, told) = try inRoom(Self.fleet) { _, room in
            let central = await room.makeCentral(connections: 1)
            let (sensor, other) = (await central.peripheral(at: Room.sensor), await central.peripheral(at: Room.other))
            let told = Mailbox<String>()
            await sensor.onEvent { event in
                switch event {
                case .waitingForSlot, .slotGranted, .connected: told.put("\(event)")
                default: break
                }
            }
            let third = await central.peripheral(at: Address(0xC0_00_00_00_00_06))
            await Self.waitForRoute(to: other, through: "hci0", room, by: central)
            try await central.connect(other)
            await Self.waitForRoute(to: third, through: "hci1", room, by: central)
            try await central.connect(third)
            // Both are full, and it hears hci1 best.
            await Self.waitForRoute(to: sensor, through: "hci1", room, by: central)
            let outcomes = room.begin { () async throws(CentralError) in try await central.connect(sensor) }
            while await central.connectionUse.map(\.waiting) != [0, 1] { await room.loop.sleep(for: .milliseconds(1)) }
            let waiting = await central.connectionUse.map(\.connections)
            await central.seek(sensor)
            try await central.cancelConnection(other)
            #expect(await outcomes.next() ?? nil == nil)
            let adapters = [await sensor.adapterName, await third.adapterName]
            #expect(await central.connectionUse.map(\.waiting) == [0, 0])
            var events: [String?] = []
            while events.last != "connected" { events.append(await told.next()) }
            await central.close()
            return (waiting, adapters, events)
        }
        #expect(waiting == [1, 1])
        #expect(told == ["waitingForSlot(used: 1)", "slotGranted", "connected"])
        #expect(adapters == ["hci0", "hci1"])
    }

    @Test func `an adapter that goes leaves its peripherals to another, and may come back under another name`() throws {
        let (without, with) = try inRoom(Self.fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            try await room.central.connect(sensor)
            try await room.simulation.direct { scene throws(SceneError) in try scene.remove("hci1") }
            await room.waitForEnd(of: sensor)
            await Self.waitForRoute(to: sensor, through: "hci0", room)
            try await room.central.connect(sensor)
            let without = await sensor.adapterName
            try await room.central.cancelConnection(sensor)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.add("00:00:5E:00:53:02", as: "hci7")
                try scene.setStrength(-20, of: "sensor", at: "hci7")
            }
            await Self.waitForRoute(to: sensor, through: "hci7", room)
            try await room.central.connect(sensor)
            return (without, await sensor.adapterName)
        }
        #expect(without == "hci0")
        #expect(with == "hci7")
    }

    @Test func `an adapter that is switched off is passed over`() throws {
        let adapter = try inRoom(Self.fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci1", on: false)
            }
            await Self.waitForRoute(to: sensor, through: "hci0", room)
            try await room.central.connect(sensor)
            return await sensor.adapterName
        }
        #expect(adapter == "hci0")
    }

    @Test(arguments: ["5.66", "5.82"])
    func `who does not answer one adapter is tried through another that hears it too`(bluetoothd: String) throws {
        let fleet = "bluetoothd: \"\(bluetoothd)\"\n" + Self.fleet
        let adapter = try inRoom(fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-52, of: "sensor", at: "hci0")
                try scene.plan(Fault.Rule(.connectHangs), for: "sensor")
            }
            await room.central.seek(sensor)
            await #expect(throws: CentralError.self) { try await room.central.connect(sensor) }
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.cancel(.connectHangs, of: "sensor")
            }
            try await room.central.connect(sensor)
            return await sensor.adapterName
        }
        #expect(adapter == "hci0")
    }

    @Test func `an adapter that is dropped keeps no link, not even one that is being made`() throws {
        let (error, isUp) = try inRoom(Self.fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", room)
            // From now on it answers nobody, until it is heard again.
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            let outcomes = room.begin { () async throws(CentralError) in try await room.central.connect(sensor) }
            while await !room.central.isPending(Room.sensor) { await room.loop.sleep(for: .milliseconds(1)) }
            await room.central.use([Address(0x00_00_5E_00_53_01)], connections: nil)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: true)
            }
            // A whole link of another peripheral later, there has been time enough to make one.
            let other = await room.central.peripheral(at: Room.other)
            try await room.connect(other)
            try await room.central.cancelConnection(other)
            let isUp = try await room.isConnected("sensor")
            return (await outcomes.next() ?? nil, isUp)
        }
        #expect(error != nil)
        #expect(!isUp)
    }

    @Test func `a bond's adapter that is off is named, and nobody else tries`() throws {
        let (error, events) = try inRoom(Self.fleet) { _, room in
            let other = await room.central.peripheral(at: Room.other)
            await Self.waitForRoute(to: other, through: "hci0", room)
            try await room.central.pair(other)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci0", on: false)
            }
            while await room.central.availableAdapters.allSatisfy(\.isPowered) {
                await room.loop.sleep(for: .milliseconds(1))
            }
            let error = await #expect(throws: CentralError.self) { try await room.central.connect(other) }
            return (error, try await room.events(of: "other"))
        }
        #expect(error?.message.contains("its bond is with hci0 (00:00:5E:00:53:01), which is off") == true)
        #expect(events == ["connected", "paired", "disconnected"])
    }

    @Test func `a bond binds it to the adapter that has the keys`() throws {
        let (adapter, events) = try inRoom(Self.fleet) { _, room in
            let other = await room.central.peripheral(at: Room.other)
            await Self.waitForRoute(to: other, through: "hci0", room)
            try await room.central.pair(other)
            try await room.central.cancelConnection(other)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-20, of: "other", at: "hci1")
            }
            try await room.connect(other)
            let adapter = await other.adapterName
            try await room.central.unpair(other)
            await Self.waitForRoute(to: other, through: "hci1", room)
            return (adapter, try await room.events(of: "other"))
        }
        #expect(adapter == "hci0")
        #expect(events == ["connected", "paired", "disconnected", "connected", "disconnected"])
    }
}

extension Central {
    fileprivate func isPending(_ address: Address) -> Bool {
        attempts[address]?.isPending == true
    }
}
