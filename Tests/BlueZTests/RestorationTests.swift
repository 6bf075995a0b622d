import BlueZ
import Bluetooth
import EventLoop
import Testing

/// What a program that ended without a word leaves behind, and what the next one makes of it.
@Suite struct RestorationTests {
    /// A central that connects, subscribes, and dies; gives what it would have written down.
    private static func crash(_ room: Room) async throws -> [KnownPeripheral] {
        let sensor = await room.central.peripheral(at: Room.sensor)
        try await room.connect(sensor)
        let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
        try await sensor.setNotify(true, for: service.characteristics[0])
        let known = await room.central.knownPeripherals
        await room.central.close()
        return known
    }

    @Test func `a link that stayed up is used as it is`() throws {
        let (known, events, name) = try inRoom { _, room in
            let known = try await Self.crash(room)
            let next = await room.makeCentral { await $0.restore(known, of: [Room.sensor], links: [Room.sensor]) }
            let sensor = await next.peripheral(at: Room.sensor)
            try await next.connect(sensor)
            let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
            try await sensor.setNotify(true, for: service.characteristics[0])
            let events = try await room.events()
            let name = await sensor.name
            await next.close()
            return (known, events, name)
        }
        #expect(known.map(\.address) == [Room.sensor])
        #expect(known[0].isConnected && known[0].lastHeard != nil)
        #expect(name == "sensor")
        #expect(events == ["connected", "subscribed 2A6E", "unsubscribed 2A6E", "subscribed 2A6E"])
    }

    @Test func `a link that nobody wants any more is ended`() throws {
        let events = try inRoom { _, room in
            let known = try await Self.crash(room)
            let next = await room.makeCentral { await $0.restore(known, of: [], links: []) }
            // It is not heard before the link is down.
            await room.hear(await next.peripheral(at: Room.sensor), by: next)
            await next.close()
            return try await room.events()
        }
        #expect(events.last == "disconnected")
    }

    @Test func `a link of somebody else is left alone`() throws {
        let isUp = try inRoom { _, room in
            let known = try await Self.crash(room).map {
                KnownPeripheral(
                    address: $0.address, adapter: $0.adapter, name: $0.name, lastHeard: $0.lastHeard, isConnected: false
                )
            }
            let next = await room.makeCentral { await $0.restore(known, of: [], links: []) }
            // A whole link later, there has been time enough.
            let other = await next.peripheral(at: Room.other)
            try await room.connect(other, by: next)
            try await next.cancelConnection(other)
            await next.close()
            return try await room.isConnected("sensor")
        }
        #expect(isUp)
    }

    @Test func `after a lost link each characteristic is subscribed once`() throws {
        let events = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            for _ in 0..<2 {
                try await room.connect(sensor)
                let service = try await sensor.discoverServices([UUID(0x181A as UInt16)])[0]
                try await sensor.setNotify(true, for: service.characteristics[0])
                try await room.dropLink(of: "sensor")
                await room.waitForEnd(of: sensor)
            }
            return try await room.events()
        }
        #expect(
            events == [
                "connected", "subscribed 2A6E", "disconnected", "connected", "subscribed 2A6E", "disconnected",
            ])
    }
}
