import BlueZ
import Bluetooth
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
