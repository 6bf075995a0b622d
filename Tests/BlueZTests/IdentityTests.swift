import BlueZ
import Bluetooth
import EventLoop
import Simulator
import Testing

/// Peripherals with a private address, which a bond turns into one that stays.
@Suite struct IdentityTests {
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

    /// Finds the sensor by one of its addresses, and connects.
    private static func connect(_ address: Address, _ room: Room, by central: Central) async throws -> BlueZ.Peripheral
    {
        let sensor = await central.peripheral(at: address)
        try await central.find(sensor, within: .seconds(60))
        try await central.connect(sensor)
        return sensor
    }

    private static func changeAddress(_ room: Room) async throws {
        try await room.simulation.direct { scene throws(SceneError) in try scene.changeAddress(of: "sensor") }
    }

    /// Pairs by the private address, which changes afterwards; the link is down.
    private static func pair(_ room: Room, by central: Central) async throws -> BlueZ.Peripheral {
        let sensor = await central.peripheral(at: sensor)
        try await central.find(sensor, within: .seconds(60))
        try await central.pair(sensor)
        try await central.cancelConnection(sensor)
        try await changeAddress(room)
        return sensor
    }

    @Test(arguments: ["5.66", "5.82"])
    func `what was paired is found again when its address has changed`(version: String) throws {
        let (identities, isUp) = try inRoom("bluetoothd: \"\(version)\"\n" + Self.fleet) { _, room in
            let sensor = try await Self.pair(room, by: room.central)
            let identity = await sensor.identity
            _ = try await Self.connect(Self.sensor, room, by: room.central)
            let isUp = await sensor.isConnected
            return ([identity, await room.central.knownPeripherals.first?.identity], isUp)
        }
        #expect(identities == [Self.identity, Self.identity])
        #expect(isUp)
    }

    @Test func `bluetoothd's next start gives it another object, and it is still the same`() throws {
        let isUp = try inRoom(Self.fleet) { _, room in
            _ = try await Self.pair(room, by: room.central)
            await room.simulation.stopBluetoothd()
            try await room.simulation.startBluetoothd()
            while await room.central.state != .poweredOn { await room.loop.sleep(for: .milliseconds(1)) }
            return await (try Self.connect(Self.sensor, room, by: room.central)).isConnected
        }
        #expect(isUp)
    }

    @Test func `the next run of the program knows it by what the last one has written down`() throws {
        let isUp = try inRoom(Self.fleet) { _, room in
            _ = try await Self.pair(room, by: room.central)
            let known = await room.central.knownPeripherals
            await room.central.close()
            await room.simulation.stopBluetoothd()
            try await room.simulation.startBluetoothd()
            let next = await room.makeCentral { await $0.restore(known, of: [Self.sensor], links: []) }
            let isUp = await (try Self.connect(Self.sensor, room, by: next)).isConnected
            await next.close()
            return isUp
        }
        #expect(isUp)
    }

    @Test func `it may be configured by its identity, while somebody else pairs by the private address`() throws {
        let (isHeardBefore, isUp) = try inRoom(Self.fleet) { _, room in
            let other = await room.makeCentral()
            let sensor = await room.central.peripheral(at: Self.identity)
            await room.central.seek(sensor)
            let isHeardBefore = await sensor.lastHeard != nil
            _ = try await Self.pair(room, by: other)
            try await room.central.find(sensor, within: .seconds(60))
            try await room.central.connect(sensor)
            let isUp = await sensor.isConnected
            await other.close()
            return (isHeardBefore, isUp)
        }
        #expect(!isHeardBefore)
        #expect(isUp)
    }

    @Test func `what another program has paired before is known by either address`() throws {
        let isUp = try inRoom(Self.fleet) { _, room in
            _ = try await Self.pair(room, by: room.central)
            var isUp: [Bool] = []
            for address in [Self.sensor, Self.identity] {
                let central = await room.makeCentral()
                let sensor = try await Self.connect(address, room, by: central)
                isUp.append(await sensor.isConnected)
                try await central.cancelConnection(sensor)
                await central.close()
            }
            return isUp
        }
        #expect(isUp == [true, true])
    }

    @Test func `who has found it by the private address and lets it go leaves it to whom it is configured`() throws {
        let isUp = try inRoom(Self.fleet) { _, room in
            let configured = await room.central.peripheral(at: Self.identity)
            _ = try await Self.pair(room, by: room.central)
            await room.central.forget(Self.sensor)
            try await room.central.find(configured, within: .seconds(60))
            try await room.central.connect(configured)
            return await configured.isConnected
        }
        #expect(isUp)
    }

    @Test func `advertisements are those of the device that is known`() throws {
        let address = try inRoom(Self.fleet) { _, room in
            let sensor = try await Self.pair(room, by: room.central)
            var filter = ScanFilter()
            filter.addresses = [sensor.address]
            let heard = Mailbox<Address>()
            let observation = await room.central.observe(filter) { heard.put($0.address) }
            let address = await heard.next()
            await room.central.stopObserving(observation)
            return address
        }
        #expect(address == Self.sensor)
    }
}
