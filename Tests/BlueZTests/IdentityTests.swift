import BlueZ
import Bluetooth
import EventLoop
import Simulator
import TestTraits
import Testing

/// Peripherals with a private address, which a bond makes recognizable.
@Suite(.ownThreads) struct IdentityTests {
    private static let identity = Address(0x00_00_5E_00_53_A1)
    private static let sensor = Address(0x40_00_00_00_00_04)

    private static let fleet = """
        adapters: {hci0: {address: "00:00:5E:00:53:01"}}
        peripherals:
          sensor:
            address: 40:00:00:00:00:04
            identity: 00:00:5E:00:53:A1
            advertise: {every: 5ms}
            pace: {connect: 5ms, resolve: 5ms, read: 1ms, disconnect: 10ms, pair: 1ms}
            services:
              - uuid: 181A
                characteristics: [{uuid: temperature, flags: [read], value: 21.53}]
        """

    /// Finds the sensor by one of its addresses and connects.
    private static func connect(_ address: Address, _ fixture: Fixture, by central: Central) async throws
        -> BlueZ.Peripheral
    {
        let sensor = await central.peripheral(at: address)
        try await central.find(sensor, within: .seconds(60))
        try await central.connect(sensor)
        return sensor
    }

    private static func changeAddress(_ fixture: Fixture) async throws {
        try await fixture.simulation.direct { scene throws(SceneError) in try scene.changeAddress(of: "sensor") }
    }

    /// Pairs by the private address and disconnects; then the address changes.
    private static func pair(_ fixture: Fixture, by central: Central) async throws -> BlueZ.Peripheral {
        let sensor = await central.peripheral(at: sensor)
        try await central.find(sensor, within: .seconds(60))
        try await central.pair(sensor)
        try await central.cancelConnection(sensor)
        try await changeAddress(fixture)
        return sensor
    }

    @Test(arguments: ["5.66", "5.82"])
    func `a paired peripheral is found again after its address has changed`(version: String) throws {
        let (identities, isConnected) = try withFixture("bluetoothd: \"\(version)\"\n" + Self.fleet) { _, fixture in
            let sensor = try await Self.pair(fixture, by: fixture.central)
            let identity = await sensor.identity
            _ = try await Self.connect(Self.sensor, fixture, by: fixture.central)
            let isConnected = await sensor.isConnected
            return ([identity, await fixture.central.knownPeripherals.first?.identity], isConnected)
        }
        #expect(identities == [Self.identity, Self.identity])
        #expect(isConnected)
    }

    @Test func `a paired peripheral is found under its new object after bluetoothd has restarted`() throws {
        let isConnected = try withFixture(Self.fleet) { _, fixture in
            _ = try await Self.pair(fixture, by: fixture.central)
            await fixture.simulation.stopBluetoothd()
            try await fixture.simulation.startBluetoothd()
            while await fixture.central.state != .poweredOn { await fixture.loop.sleep(for: .milliseconds(1)) }
            return await (try Self.connect(Self.sensor, fixture, by: fixture.central)).isConnected
        }
        #expect(isConnected)
    }

    @Test func `the next run of the program finds a paired peripheral by the stored identity address`() throws {
        let isConnected = try withFixture(Self.fleet) { _, fixture in
            _ = try await Self.pair(fixture, by: fixture.central)
            let known = await fixture.central.knownPeripherals
            await fixture.central.close()
            await fixture.simulation.stopBluetoothd()
            try await fixture.simulation.startBluetoothd()
            let next = await fixture.makeCentral { await $0.restore(known, of: [Self.sensor], links: []) }
            let isConnected = await (try Self.connect(Self.sensor, fixture, by: next)).isConnected
            await next.close()
            return isConnected
        }
        #expect(isConnected)
    }

    @Test
    func `a peripheral known by its identity address is found after another program has paired by the private one`()
        throws
    {
        let (wasSeenBefore, isConnected) = try withFixture(Self.fleet) { _, fixture in
            let other = await fixture.makeCentral()
            let sensor = await fixture.central.peripheral(at: Self.identity)
            await fixture.central.startScanning(for: sensor)
            let wasSeenBefore = await sensor.lastSeen != nil
            _ = try await Self.pair(fixture, by: other)
            try await fixture.central.find(sensor, within: .seconds(60))
            try await fixture.central.connect(sensor)
            let isConnected = await sensor.isConnected
            await other.close()
            return (wasSeenBefore, isConnected)
        }
        #expect(!wasSeenBefore)
        #expect(isConnected)
    }

    @Test func `a peripheral that another program has paired is found by both addresses`() throws {
        let isConnected = try withFixture(Self.fleet) { _, fixture in
            _ = try await Self.pair(fixture, by: fixture.central)
            var isConnected: [Bool] = []
            for address in [Self.sensor, Self.identity] {
                let central = await fixture.makeCentral()
                let sensor = try await Self.connect(address, fixture, by: central)
                isConnected.append(await sensor.isConnected)
                try await central.cancelConnection(sensor)
                await central.close()
            }
            return isConnected
        }
        #expect(isConnected == [true, true])
    }

    @Test func `a peripheral forgotten by its private address is still found by its identity address`() throws {
        let isConnected = try withFixture(Self.fleet) { _, fixture in
            let configured = await fixture.central.peripheral(at: Self.identity)
            _ = try await Self.pair(fixture, by: fixture.central)
            await fixture.central.forget(Self.sensor)
            try await fixture.central.find(configured, within: .seconds(60))
            try await fixture.central.connect(configured)
            return await configured.isConnected
        }
        #expect(isConnected)
    }

    @Test func `observe reports the address under which the peripheral is known`() throws {
        let address = try withFixture(Self.fleet) { _, fixture in
            let sensor = try await Self.pair(fixture, by: fixture.central)
            var filter = ScanFilter()
            filter.addresses = [sensor.address]
            let seen = Mailbox<Address>()
            let observation = await fixture.central.observe(filter) { seen.put($0.address) }
            let address = await seen.next()
            await fixture.central.stopObserving(observation)
            return address
        }
        #expect(address == Self.sensor)
    }
}
