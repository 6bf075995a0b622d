import BlueZ
import Bluetooth
import EventLoop
import TestTraits
import Testing

/// The traces of a program that crashed, and what the next run does with them.
@Suite(.ownThreads) struct RestorationTests {
    /// Lets the central connect, subscribe and end without a disconnect.
    ///
    /// - Returns: The facts that it would have stored.
    private static func crash(_ fixture: Fixture) async throws -> [KnownPeripheral] {
        let sensor = await fixture.central.peripheral(at: Fixture.sensor)
        try await fixture.connect(sensor)
        let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
        try await sensor.setNotify(true, for: service.characteristics[0])
        let known = await fixture.central.knownPeripherals
        await fixture.central.close()
        return known
    }

    @Test func `restore uses a connection that still exists`() throws {
        let (known, events, name) = try withFixture { _, fixture in
            let known = try await Self.crash(fixture)
            let next = await fixture.makeCentral {
                await $0.restore(known, of: [Fixture.sensor], links: [Fixture.sensor])
            }
            let sensor = await next.peripheral(at: Fixture.sensor)
            try await next.connect(sensor)
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            let events = try await fixture.events()
            let name = await sensor.name
            await next.close()
            return (known, events, name)
        }
        #expect(known.map(\.address) == [Fixture.sensor])
        #expect(known[0].isConnected && known[0].lastSeen != nil)
        #expect(name == "sensor")
        #expect(events == ["connected", "subscribed 2A6E", "unsubscribed 2A6E", "subscribed 2A6E"])
    }

    @Test func `restore ends a connection that is not needed any more`() throws {
        let events = try withFixture { _, fixture in
            let known = try await Self.crash(fixture)
            let next = await fixture.makeCentral { await $0.restore(known, of: [], links: []) }
            // The device does not advertise before it is disconnected.
            await fixture.waitForSighting(of: await next.peripheral(at: Fixture.sensor), by: next)
            await next.close()
            return try await fixture.events()
        }
        #expect(events.last == "disconnected")
    }

    @Test func `restore leaves a connection of another program alone`() throws {
        let isConnected = try withFixture { _, fixture in
            let known = try await Self.crash(fixture).map {
                KnownPeripheral(
                    address: $0.address, adapter: $0.adapter, name: $0.name, lastSeen: $0.lastSeen, isConnected: false
                )
            }
            let next = await fixture.makeCentral { await $0.restore(known, of: [], links: []) }
            // After a complete connection there has been enough time.
            let other = await next.peripheral(at: Fixture.other)
            try await fixture.connect(other, by: next)
            try await next.cancelConnection(other)
            await next.close()
            return try await fixture.isConnected("sensor")
        }
        #expect(isConnected)
    }

    /// Lets the central crash with a connection through the second adapter, after the first adapter has seen the device.
    private static func crashWithSecondAdapter(_ fixture: Fixture) async throws -> [KnownPeripheral] {
        let other = await fixture.makeCentral(adapters: [Fixture.firstAdapter])
        await fixture.waitForSighting(of: await other.peripheral(at: Fixture.sensor), by: other)
        await other.close()
        await fixture.central.use([Fixture.secondAdapter], connections: nil)
        return try await crash(fixture)
    }

    /// Waits for a complete connection of another peripheral: after it, there has been enough time for a disconnection.
    private static func waitForOtherConnection(_ fixture: Fixture, by central: Central) async throws {
        let other = await central.peripheral(at: Fixture.other)
        try await fixture.connect(other, by: central)
        try await central.cancelConnection(other)
    }

    @Test func `restore ends a connection through any adapter in use`() throws {
        let events = try withFixture(twoAdapters) { _, fixture in
            let known = try await Self.crashWithSecondAdapter(fixture)
            let next = await fixture.makeCentral { await $0.restore(known, of: [], links: []) }
            // The device does not advertise before it is disconnected.
            await fixture.waitForSighting(of: await next.peripheral(at: Fixture.sensor), by: next)
            await next.close()
            return try await fixture.events()
        }
        #expect(events.last == "disconnected")
    }

    @Test func `restore leaves a connection through an adapter that is not in use alone`() throws {
        let isConnected = try withFixture(twoAdapters) { _, fixture in
            let known = try await Self.crashWithSecondAdapter(fixture)
            let next = await fixture.makeCentral(adapters: [Fixture.firstAdapter]) {
                await $0.restore(known, of: [], links: [])
            }
            try await Self.waitForOtherConnection(fixture, by: next)
            await next.close()
            return try await fixture.isConnected("sensor")
        }
        #expect(isConnected)
    }

    @Test func `restore leaves later connections of other programs alone`() throws {
        let isConnected = try withFixture { _, fixture in
            let known = try await Self.crash(fixture)
            try await fixture.dropLink(of: "sensor")
            let next = await fixture.makeCentral { await $0.restore(known, of: [], links: []) }
            let program = await fixture.makeCentral()
            try await fixture.connect(await program.peripheral(at: Fixture.sensor), by: program)
            try await Self.waitForOtherConnection(fixture, by: next)
            let isConnected = try await fixture.isConnected("sensor")
            await next.close()
            await program.close()
            return isConnected
        }
        #expect(isConnected)
    }

    @Test func `endConnections ends only connections through the adapters in use`() throws {
        let (other, own) = try withFixture(twoAdapters) { _, fixture in
            _ = try await Self.crashWithSecondAdapter(fixture)
            var ended: [[Address]] = []
            for adapter in [Fixture.firstAdapter, Fixture.secondAdapter] {
                let central = await fixture.makeCentral(adapters: [adapter])
                ended.append(try await central.endConnections(to: [Fixture.sensor]))
                await central.close()
            }
            return (ended[0], ended[1])
        }
        #expect(other.isEmpty)
        #expect(own == [Fixture.sensor])
    }

    @Test func `each characteristic is subscribed once after a lost connection`() throws {
        let events = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            for _ in 0..<2 {
                try await fixture.connect(sensor)
                let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
                try await sensor.setNotify(true, for: service.characteristics[0])
                try await fixture.dropLink(of: "sensor")
                await fixture.waitForEnd(of: sensor)
            }
            return try await fixture.events()
        }
        #expect(
            events == [
                "connected", "subscribed 2A6E", "disconnected", "connected", "subscribed 2A6E", "disconnected",
            ])
    }
}
