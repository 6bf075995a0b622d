import BlueZ
import Bluetooth
import EventLoop
import Simulator
import Testing

@Suite struct ScanTests {
    /// So many that a packet that bluetoothd had no time to tell of before the next is not missed.
    private static let series = (0x10...0xFF).map { "05" + String($0, radix: 16) }
    private static let beacons = """
        adapters: {hci0: {address: "00:00:5E:00:53:01"}}
        peripherals:
          ruuvi:
            address: D0:00:00:00:00:01
            advertise: {every: 5ms, rssi: -40, manufacturer_data: {0x0499: \(series)}}
          faint:
            address: D0:00:00:00:00:02
            advertise: {every: 5ms, rssi: -90, manufacturer_data: {0x0499: ["0503"]}}
          xiaomi:
            address: D0:00:00:00:00:03
            advertise: {every: 5ms, rssi: -60, service_data: {FE95: ["3058"]}}
        """

    /// The first sightings of a filter, as many as wanted.
    private static func sightings(
        _ count: Int, of central: Central, _ filter: ScanFilter
    ) async -> [Sighting] {
        let heard = Mailbox<Sighting>()
        let observation = await central.observe(filter) { heard.put($0) }
        var sightings: [Sighting] = []
        while sightings.count < count, let sighting = await heard.next() { sightings.append(sighting) }
        await central.stopObserving(observation)
        return sightings
    }

    @Test func `observers get each packet of what they asked for, and nothing else`() throws {
        let (byCompany, byService, byName) = try inRoom(Self.beacons) { _, room in
            var company = ScanFilter()
            company.manufacturer = 0x0499
            company.minimumRSSI = -70
            var service = ScanFilter()
            service.services = [UUID(0xFE95 as UInt16)]
            var name = ScanFilter()
            name.namePrefix = "fai"
            return (
                await Self.sightings(20, of: room.central, company),
                await Self.sightings(3, of: room.central, service),
                await Self.sightings(3, of: room.central, name)
            )
        }
        #expect(Set(byCompany.map(\.address)) == [Address(0xD0_00_00_00_00_01)])
        // Of one packet at a time, and no packet twice.
        let values = byCompany.compactMap { $0.advertisement.manufacturerData[0x0499] }
        #expect(values.count == 20 && values.allSatisfy { $0.count == 2 })
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
        #expect(Set(byService.map(\.address)) == [Address(0xD0_00_00_00_00_03)])
        #expect(byService.allSatisfy { $0.kind == .random && $0.adapter == "hci0" })
        #expect(Set(byName.map { $0.advertisement.localName }) == ["faint"])
    }

    @Test func `who has looked in vain takes the scan from nobody`() throws {
        let isHeard = try inRoom { _, room in
            let sensor = await room.central.peripheral(at: Room.sensor)
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            let events = Mailbox<Void>()
            await sensor.onEvent { event in
                if case .advertised = event { events.put(()) }
            }
            await room.central.seek(sensor)
            await #expect(throws: CentralError.self) {
                try await room.central.find(sensor, within: .milliseconds(10))
            }
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: true)
            }
            _ = await events.next()
            return true
        }
        #expect(isHeard)
    }

    @Test func `an adapter that does not scan keeps no other from it`() throws {
        // Which one is asked first differs from run to run.
        let adapters = (0..<4).map { number in
            let fault = number == 2 ? "" : ", faults: [discovery in progress]"
            return "hci\(number): {address: \"00:00:5E:00:53:0\(number + 1)\"\(fault)}"
        }
        let fleet = oneSensor.replacing(
            #"adapters: {hci0: {address: "00:00:5E:00:53:01"}}"#,
            with: "adapters: {\(adapters.joined(separator: ", "))}")
        let heard = try inRoom(fleet) { _, room in await Self.sightings(1, of: room.central, ScanFilter()) }
        #expect(heard.map(\.adapter) == ["hci2"])
    }

    @Test func `what bluetoothd knew before is heard as well, and what is silent is not`() throws {
        let fleet = oneSensor.replacing("    advertise:", with: "    bonded: true\n    advertise:")
        let heard = try inRoom(fleet) { _, room in
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "other", on: false)
            }
            return await Self.sightings(5, of: room.central, ScanFilter())
        }
        #expect(Set(heard.map(\.address)) == [Room.sensor])
    }

    @Test func `what says nothing new is told again only to those who need each packet`() throws {
        let (calm, full) = try inRoom(Self.beacons) { _, room in
            func values(eachPacket: Bool) async -> [[UInt8]?] {
                var filter = ScanFilter()
                filter.namePrefix = "faint"
                let heard = Mailbox<Sighting>()
                let observation = await room.central.observe(filter, eachPacket: eachPacket) { heard.put($0) }
                var values: [[UInt8]?] = []
                while values.count < 10, let sighting = await heard.next() {
                    values.append(sighting.advertisement.manufacturerData[0x0499])
                }
                await room.central.stopObserving(observation)
                return values
            }
            return (await values(eachPacket: false), await values(eachPacket: true))
        }
        #expect(calm.compactMap(\.self).count <= 1)
        #expect(full.suffix(8).allSatisfy { $0 == [5, 3] })
    }

    @Test func `a scan that hears nothing is repaired, the gentle way first`() throws {
        let fleet = oneSensor.replacing(
            "53:01\"}", with: "53:01\", faults: [scan dies]}")
        let (repairs, isHeard) = try inRoom(fleet) { _, room in
            let central = Central(bus: room.bus, adapters: nil, scanSilence: .milliseconds(20), loop: room.loop)
            let repairs = Mailbox<String>()
            await central.onRepair { repair, adapter, _ in repairs.put("\(adapter.name) \(repair.name)") }
            await central.start()
            let sensor = await central.peripheral(at: Room.sensor)
            await central.seek(sensor)
            let first = [await repairs.next(), await repairs.next()]
            try await room.simulation.direct { scene throws(SceneError) in
                try scene.cancel(.scanDies, of: "hci0")
            }
            await room.hear(sensor, by: central)
            let isHeard = await sensor.rssi != nil
            await central.close()
            return (first, isHeard)
        }
        #expect(repairs == ["hci0 restart_scan", "hci0 power_cycle"])
        #expect(isHeard)
    }
}
