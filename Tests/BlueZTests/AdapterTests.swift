import Bluetooth
import EventLoop
import Simulator
import TestTraits
import Testing

@testable import BlueZ

/// Several adapters: the choice of the adapter for a connection, and adapters that come and go.
@Suite(.ownThreads) struct AdapterTests {
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

    /// Waits until the central chooses an adapter for a peripheral.
    private static func waitForRoute(
        to peripheral: BlueZ.Peripheral, through adapter: String, _ fixture: Fixture, by central: Central? = nil
    ) async {
        let central = central ?? fixture.central
        await central.startScanning(for: peripheral)
        while await peripheral.adapterName != adapter { await fixture.loop.sleep(for: .milliseconds(1)) }
        await central.stopScanning(for: peripheral)
    }

    @Test
    func `Central connects a peripheral through the adapter with the strongest signal, and finds its services there`()
        throws
    {
        let (adapter, uuids) = try withFixture(Self.fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            try await fixture.central.connect(sensor)
            let services = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            return (await sensor.adapterName, services.flatMap(\.characteristics).map(\.uuid))
        }
        #expect(adapter == "hci1")
        #expect(uuids == [UUID(0x2A6E as UInt16)])
    }

    @Test func `the route follows the signal strengths, but not during a connection`() throws {
        let (during, after) = try withFixture(Self.fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            try await fixture.central.connect(sensor)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-30, of: "sensor", at: "hci0")
            }
            // After a complete connection of another peripheral, there has been enough time.
            let other = await fixture.central.peripheral(at: Fixture.other)
            try await fixture.connect(other)
            let during = await sensor.adapterName
            try await fixture.central.cancelConnection(other)
            try await fixture.central.cancelConnection(sensor)
            await Self.waitForRoute(to: sensor, through: "hci0", fixture)
            return (during, await sensor.adapterName)
        }
        #expect(during == "hci1")
        #expect(after == "hci0")
    }

    @Test func `an adapter without a free slot leaves the peripheral to another adapter`() throws {
        let (first, second) = try withFixture(Self.fleet) { _, fixture in
            let central = await fixture.makeCentral(connections: 1)
            let (sensor, other) = (
                await central.peripheral(at: Fixture.sensor), await central.peripheral(at: Fixture.other)
            )
            await Self.waitForRoute(to: other, through: "hci0", fixture, by: central)
            try await central.connect(other)
            // The other adapter must have seen the peripheral to be chosen.
            await Self.waitForRoute(to: sensor, through: "hci1", fixture, by: central)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-30, of: "sensor", at: "hci0")
            }
            await Self.waitForRoute(to: sensor, through: "hci0", fixture, by: central)
            try await central.connect(sensor)
            let names = (await other.adapterName, await sensor.adapterName)
            await central.close()
            return names
        }
        #expect(first == "hci0")
        #expect(second == "hci1")
    }

    @Test func `a peripheral that waits for a slot moves to the adapter that has one first`() throws {
        let (waiting, adapters, events) = try withFixture(Self.fleet) { _, fixture in
            let central = await fixture.makeCentral(connections: 1)
            let (sensor, other) = (
                await central.peripheral(at: Fixture.sensor), await central.peripheral(at: Fixture.other)
            )
            let events = Mailbox<String>()
            await sensor.onEvent { event in
                switch event {
                case .waitingForSlot, .slotGranted, .connected: events.put("\(event)")
                default: break
                }
            }
            let third = await central.peripheral(at: Address(0xC0_00_00_00_00_06))
            await Self.waitForRoute(to: other, through: "hci0", fixture, by: central)
            try await central.connect(other)
            await Self.waitForRoute(to: third, through: "hci1", fixture, by: central)
            try await central.connect(third)
            // Both adapters are full, and hci1 has the strongest signal.
            await Self.waitForRoute(to: sensor, through: "hci1", fixture, by: central)
            let outcomes = fixture.begin { () async throws(CentralError) in try await central.connect(sensor) }
            while await central.connectionUse.map(\.waiting) != [0, 1] {
                await fixture.loop.sleep(for: .milliseconds(1))
            }
            let waiting = await central.connectionUse.map(\.connections)
            await central.startScanning(for: sensor)
            try await central.cancelConnection(other)
            #expect(await outcomes.next() ?? nil == nil)
            let adapters = [await sensor.adapterName, await third.adapterName]
            #expect(await central.connectionUse.map(\.waiting) == [0, 0])
            var reported: [String?] = []
            while reported.last != "connected" { reported.append(await events.next()) }
            await central.close()
            return (waiting, adapters, reported)
        }
        #expect(waiting == [1, 1])
        #expect(events == ["waitingForSlot(used: 1)", "slotGranted", "connected"])
        #expect(adapters == ["hci0", "hci1"])
    }

    @Test
    func
        `the peripherals of a removed adapter connect through another one, and through the adapter itself under a new name`()
        throws
    {
        let (without, with) = try withFixture(Self.fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            try await fixture.central.connect(sensor)
            try await fixture.simulation.direct { scene throws(SceneError) in try scene.remove("hci1") }
            await fixture.waitForEnd(of: sensor)
            await Self.waitForRoute(to: sensor, through: "hci0", fixture)
            try await fixture.central.connect(sensor)
            let without = await sensor.adapterName
            try await fixture.central.cancelConnection(sensor)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.add("00:00:5E:00:53:02", as: "hci7")
                try scene.setStrength(-20, of: "sensor", at: "hci7")
            }
            await Self.waitForRoute(to: sensor, through: "hci7", fixture)
            try await fixture.central.connect(sensor)
            return (without, await sensor.adapterName)
        }
        #expect(without == "hci0")
        #expect(with == "hci7")
    }

    @Test func `an adapter that is off is not chosen`() throws {
        let adapter = try withFixture(Self.fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci1", on: false)
            }
            await Self.waitForRoute(to: sensor, through: "hci0", fixture)
            try await fixture.central.connect(sensor)
            return await sensor.adapterName
        }
        #expect(adapter == "hci0")
    }

    @Test(arguments: ["5.66", "5.82"])
    func `a peripheral that does not answer one adapter is tried through another that sees it`(bluetoothd: String)
        throws
    {
        let fleet = "bluetoothd: \"\(bluetoothd)\"\n" + Self.fleet
        let adapter = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-52, of: "sensor", at: "hci0")
                try scene.plan(Fault.Rule(.connectHangs), for: "sensor")
            }
            await fixture.central.startScanning(for: sensor)
            await #expect(throws: CentralError.self) { try await fixture.central.connect(sensor) }
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.cancel(.connectHangs, of: "sensor")
            }
            try await fixture.central.connect(sensor)
            return await sensor.adapterName
        }
        #expect(adapter == "hci0")
    }

    @Test func `an adapter that is no longer used keeps no connection, not even one that is being made`() throws {
        let (error, isConnected) = try withFixture(Self.fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            await Self.waitForRoute(to: sensor, through: "hci1", fixture)
            // The peripheral does not answer from now on, until it advertises again.
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            let outcomes = fixture.begin { () async throws(CentralError) in try await fixture.central.connect(sensor) }
            while await !fixture.central.isPending(Fixture.sensor) { await fixture.loop.sleep(for: .milliseconds(1)) }
            await fixture.central.use([Address(0x00_00_5E_00_53_01)], connections: nil)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: true)
            }
            // After a complete connection of another peripheral, there has been enough time for one.
            let other = await fixture.central.peripheral(at: Fixture.other)
            try await fixture.connect(other)
            try await fixture.central.cancelConnection(other)
            let isConnected = try await fixture.isConnected("sensor")
            return (await outcomes.next() ?? nil, isConnected)
        }
        #expect(error != nil)
        #expect(!isConnected)
    }

    /// Returns the adapters of the next advertisements that a central receives while another program scans with both.
    private static func receivers(
        of central: Central, _ fixture: Fixture, afterwards change: (Central) async -> Void = { _ in }
    ) async -> Set<String> {
        let (theirs, ours) = (Mailbox<String>(), Mailbox<String>())
        let other = await fixture.makeCentral()
        var filter = ScanFilter()
        filter.addresses = [Fixture.sensor]
        _ = await other.observe(filter) { theirs.put($0.adapter) }
        let observation = await central.observe(filter) { ours.put($0.adapter) }
        var adapters: Set<String?> = []
        while adapters != ["hci0", "hci1"] { adapters.insert(await theirs.next()) }
        await change(central)
        while ours.count > 0 { _ = await ours.next() }
        var received: Set<String> = []
        for _ in 0..<40 { received.insert(await ours.next() ?? "") }
        await central.stopObserving(observation)
        await other.close()
        return received
    }

    @Test func `an advertisement that only an adapter of another program receives is not reported`() throws {
        let received = try withFixture(twoAdapters) { _, fixture in
            let central = await fixture.makeCentral(adapters: [Fixture.firstAdapter])
            let received = await Self.receivers(of: central, fixture)
            await central.close()
            return received
        }
        #expect(received == ["hci0"])
    }

    @Test func `an adapter that is no longer used reports no advertisements, and all of them once it is used again`()
        throws
    {
        let (without, with) = try withFixture(twoAdapters) { _, fixture in
            let central = await fixture.makeCentral()
            let without = await Self.receivers(of: central, fixture) {
                await $0.use([Fixture.firstAdapter], connections: nil)
            }
            let with = await Self.receivers(of: central, fixture) { await $0.use(nil, connections: nil) }
            await central.close()
            return (without, with)
        }
        #expect(without == ["hci0"])
        #expect(with == ["hci0", "hci1"])
    }

    @Test func `a connect names the adapter of the bond if it is off, and no other adapter tries`() throws {
        let (error, events) = try withFixture(Self.fleet) { _, fixture in
            let other = await fixture.central.peripheral(at: Fixture.other)
            await Self.waitForRoute(to: other, through: "hci0", fixture)
            try await fixture.central.pair(other)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchPower(of: "hci0", on: false)
            }
            while await fixture.central.availableAdapters.allSatisfy(\.isPowered) {
                await fixture.loop.sleep(for: .milliseconds(1))
            }
            let error = await #expect(throws: CentralError.self) { try await fixture.central.connect(other) }
            return (error, try await fixture.events(of: "other"))
        }
        #expect(error?.message.contains("the peripheral is bonded with hci0 (00:00:5E:00:53:01), which is off") == true)
        #expect(events == ["connected", "paired", "disconnected"])
    }

    @Test func `a bonded peripheral connects only through the adapter that has the keys`() throws {
        let (adapter, events) = try withFixture(Self.fleet) { _, fixture in
            let other = await fixture.central.peripheral(at: Fixture.other)
            await Self.waitForRoute(to: other, through: "hci0", fixture)
            try await fixture.central.pair(other)
            try await fixture.central.cancelConnection(other)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.setStrength(-20, of: "other", at: "hci1")
            }
            try await fixture.connect(other)
            let adapter = await other.adapterName
            try await fixture.central.unpair(other)
            await Self.waitForRoute(to: other, through: "hci1", fixture)
            return (adapter, try await fixture.events(of: "other"))
        }
        #expect(adapter == "hci0")
        #expect(events == ["connected", "paired", "disconnected", "connected", "disconnected"])
    }
}

extension Central {
    fileprivate func isPending(_ address: Address) -> Bool {
        connector.isPending(address)
    }
}
