import BlueZ
import Bluetooth
import DBus
import Simulator
import Testing

@Suite struct CacheTests {
    @Test func `to clear the cache removes the device, which can be found and connected again`() throws {
        let (wasKnown, isUp, services) = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            _ = try await sensor.discoverServices()
            try await room.central.clearCache(of: sensor)
            let wasKnown = await sensor.isReachable(within: .seconds(60))
            try await room.connect(sensor)
            return (wasKnown, await sensor.isConnected, try await sensor.discoverServices(nil))
        }
        #expect(!wasKnown)
        #expect(isUp)
        #expect(services.map(\.uuid.short) == [0x1801, 0x181A])
    }

    /// Whether bluetoothd has an object for the sensor.
    private static func isListed(in room: Room) async throws -> Bool {
        let observer = try await Connection.open(room.bus, loop: room.loop)
        let call = try Message(
            call: "GetManagedObjects", on: "org.freedesktop.DBus.ObjectManager", at: "/", of: "org.bluez")
        let objects = try await observer.call(call).arguments.first?.dictionary ?? [:]
        await observer.close()
        return objects.keys.contains("/org/bluez/hci0/dev_C0_00_00_00_00_04")
    }

    @Test(arguments: [true, false])
    func `who is let go for good leaves nothing behind at bluetoothd, unless somebody trusts it`(
        isTrusted: Bool
    ) throws {
        let (wasListed, isListed) = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            if isTrusted {
                let person = try await Connection.open(room.bus, loop: room.loop)
                _ = try await person.call(
                    Message(
                        call: "Set", on: "org.freedesktop.DBus.Properties",
                        at: "/org/bluez/hci0/dev_C0_00_00_00_00_04", of: "org.bluez",
                        [.string("org.bluez.Device1"), .string("Trusted"), .variant(.boolean(true))]))
                await person.close()
            }
            try await room.central.cancelConnection(sensor)
            let wasListed = try await Self.isListed(in: room)
            // Else it would only be heard again.
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            await room.central.forget(Room.sensor)
            // A whole link of another peripheral later, there has been time enough.
            let other = await room.central.peripheral(at: Room.other)
            try await room.connect(other)
            return (wasListed, try await Self.isListed(in: room))
        }
        #expect(wasListed)
        #expect(isListed == isTrusted)
    }

    @Test func `a bond is worth more than a clear cache`() throws {
        let bonded = oneSensor.replacing("    advertise:", with: "    bonded: true\n    advertise:")
        let (isUp, isKnown) = try inRoom(bonded) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            try await room.central.clearCache(of: sensor)
            return (await sensor.isConnected, await sensor.isReachable(within: .seconds(60)))
        }
        #expect(!isUp)
        #expect(isKnown)
    }

    @Test func `services that were not discovered are an error, gone with the next link`() throws {
        let fleet = oneSensor.replacing(
            "    advertise:", with: "    faults: [{fault: resolved without services, times: 1}]\n    advertise:")
        let (error, services) = try inRoom(fleet) { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.connect(sensor)
            var failure: CentralError?
            do throws(CentralError) {
                _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            } catch {
                failure = error
            }
            try await room.central.cancelConnection(sensor)
            try await room.connect(sensor)
            return (failure, try await sensor.discoverServices([UUID(0x181A as UInt16)]))
        }
        #expect(error?.code == .failed)
        #expect(services.count == 1)
    }
}
