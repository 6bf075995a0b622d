import BlueZ
import Bluetooth
import DBus
import Simulator
import TestTraits
import Testing

@Suite(.ownThreads) struct CacheTests {
    @Test func `clearCache removes the device, which can be found and connected again`() throws {
        let (wasKnown, isConnected, services) = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            _ = try await sensor.discoverServices()
            try await fixture.central.clearCache(of: sensor)
            let wasKnown = await sensor.isReachable(within: .seconds(60))
            try await fixture.connect(sensor)
            return (wasKnown, await sensor.isConnected, try await sensor.discoverServices(nil))
        }
        #expect(!wasKnown)
        #expect(isConnected)
        #expect(services.map(\.uuid.short) == [0x1801, 0x181A])
    }

    /// Returns whether bluetoothd has an object for the sensor.
    private static func isListed(in fixture: Fixture) async throws -> Bool {
        let observer = try await Connection.open(fixture.bus, loop: fixture.loop)
        let call = try Message(
            call: "GetManagedObjects", on: "org.freedesktop.DBus.ObjectManager", at: "/", of: "org.bluez")
        let objects = try await observer.call(call).arguments.first?.dictionary ?? [:]
        await observer.close()
        return objects.keys.contains("/org/bluez/hci0/dev_C0_00_00_00_00_04")
    }

    @Test(arguments: [true, false])
    func `forget deletes the device at bluetoothd, unless the user trusts it`(
        isTrusted: Bool
    ) throws {
        let (wasListed, isListed) = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            if isTrusted {
                let user = try await Connection.open(fixture.bus, loop: fixture.loop)
                _ = try await user.call(
                    Message(
                        call: "Set", on: "org.freedesktop.DBus.Properties",
                        at: "/org/bluez/hci0/dev_C0_00_00_00_00_04", of: "org.bluez",
                        [.string("org.bluez.Device1"), .string("Trusted"), .variant(.boolean(true))]))
                await user.close()
            }
            try await fixture.central.cancelConnection(sensor)
            let wasListed = try await Self.isListed(in: fixture)
            // Otherwise the device would be seen again.
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            await fixture.central.forget(Fixture.sensor)
            // After a complete connection of another peripheral, there has been enough time.
            let other = await fixture.central.peripheral(at: Fixture.other)
            try await fixture.connect(other)
            return (wasListed, try await Self.isListed(in: fixture))
        }
        #expect(wasListed)
        #expect(isListed == isTrusted)
    }

    @Test func `clearCache keeps the device if it is bonded, and ends only the connection`() throws {
        let bonded = oneSensor.replacing("    advertise:", with: "    bonded: true\n    advertise:")
        let (isConnected, isKnown) = try withFixture(bonded) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            try await fixture.central.clearCache(of: sensor)
            return (await sensor.isConnected, await sensor.isReachable(within: .seconds(60)))
        }
        #expect(!isConnected)
        #expect(isKnown)
    }

    @Test func `discoverServices fails if bluetoothd found no services, and succeeds with the next connection`() throws
    {
        let fleet = oneSensor.replacing(
            "    advertise:", with: "    faults: [{fault: resolved without services, times: 1}]\n    advertise:")
        let (error, services) = try withFixture(fleet) { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.connect(sensor)
            var failure: CentralError?
            do throws(CentralError) {
                _ = try await sensor.discoverServices([UUID(0x181A as UInt16)])
            } catch {
                failure = error
            }
            try await fixture.central.cancelConnection(sensor)
            try await fixture.connect(sensor)
            return (failure, try await sensor.discoverServices([UUID(0x181A as UInt16)]))
        }
        #expect(error?.code == .failed)
        #expect(services.count == 1)
    }
}
