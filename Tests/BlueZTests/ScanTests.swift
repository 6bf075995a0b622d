import BlueZ
import Bluetooth
import EventLoop
import Simulator
import TestTraits
import Testing

@Suite(.ownThreads) struct ScanTests {
    /// Enough different packets that a test does not need one which bluetoothd had no time to report.
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

    /// Returns the first sightings that a filter admits.
    private static func sightings(
        _ count: Int, of central: Central, _ filter: ScanFilter
    ) async -> [Sighting] {
        let seen = Mailbox<Sighting>()
        let observation = await central.observe(filter) { seen.put($0) }
        var sightings: [Sighting] = []
        while sightings.count < count, let sighting = await seen.next() { sightings.append(sighting) }
        await central.stopObserving(observation)
        return sightings
    }

    @Test func `each advertisement counts for its adapter, whether an observer admits it or not`() throws {
        let (before, seen, after) = try withFixture(Self.beacons) { _, fixture in
            let adapter = try #require(await fixture.central.availableAdapters.first)
            let before = await fixture.central.radioUse(of: adapter)
            var filter = ScanFilter()
            filter.namePrefix = "fai"
            let seen = await Self.sightings(3, of: fixture.central, filter)
            return (before, seen.count, await fixture.central.radioUse(of: adapter))
        }
        #expect(before.advertisements == 0 && before.connecting == .zero)
        #expect(after.advertisements > seen)
        #expect(after.scanning > .zero)
    }

    @Test func `observe reports each admitted advertisement, and no other`() throws {
        let (byCompany, byService, byName) = try withFixture(Self.beacons) { _, fixture in
            var company = ScanFilter()
            company.manufacturer = 0x0499
            company.minimumRSSI = -70
            var service = ScanFilter()
            service.services = [UUID(0xFE95 as UInt16)]
            var name = ScanFilter()
            name.namePrefix = "fai"
            return (
                await Self.sightings(20, of: fixture.central, company),
                await Self.sightings(3, of: fixture.central, service),
                await Self.sightings(3, of: fixture.central, name)
            )
        }
        #expect(Set(byCompany.map(\.address)) == [Address(0xD0_00_00_00_00_01)])
        // Each sighting holds one packet, and no packet is reported twice.
        let values = byCompany.compactMap { $0.advertisement.manufacturerData[0x0499] }
        #expect(values.count == 20 && values.allSatisfy { $0.count == 2 })
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
        #expect(Set(byService.map(\.address)) == [Address(0xD0_00_00_00_00_03)])
        #expect(byService.allSatisfy { $0.kind == .random && $0.adapter == "hci0" })
        #expect(Set(byName.map { $0.advertisement.localName }) == ["faint"])
    }

    @Test func `find without success does not end the scan for others`() throws {
        let isSeen = try withFixture { _, fixture in
            let sensor = await fixture.central.peripheral(at: Fixture.sensor)
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: false)
            }
            let events = Mailbox<Void>()
            await sensor.onEvent { event in
                if case .advertised = event { events.put(()) }
            }
            await fixture.central.startScanning(for: sensor)
            await #expect(throws: CentralError.self) {
                try await fixture.central.find(sensor, within: .milliseconds(10))
            }
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "sensor", on: true)
            }
            _ = await events.next()
            return true
        }
        #expect(isSeen)
    }

    @Test func `a scan that does not start does not prevent the scans of other adapters`() throws {
        // The order of the adapters differs from run to run.
        let adapters = (0..<4).map { number in
            let fault = number == 2 ? "" : ", faults: [discovery in progress]"
            return "hci\(number): {address: \"00:00:5E:00:53:0\(number + 1)\"\(fault)}"
        }
        let fleet = oneSensor.replacing(
            #"adapters: {hci0: {address: "00:00:5E:00:53:01"}}"#,
            with: "adapters: {\(adapters.joined(separator: ", "))}")
        let seen = try withFixture(fleet) { _, fixture in await Self.sightings(1, of: fixture.central, ScanFilter()) }
        #expect(seen.map(\.adapter) == ["hci2"])
    }

    @Test(arguments: [nil, 1, 3])
    func `a failed StopDiscovery counts as the end of the scan, and the next scan starts`(failures: Int?) throws {
        let isSeen = try withFixture { _, fixture in
            let (sensor, other) = (
                await fixture.central.peripheral(at: Fixture.sensor),
                await fixture.central.peripheral(at: Fixture.other)
            )
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.plan(Fault.Rule(.discoveryEnded, times: failures), for: "hci0")
            }
            for _ in 1...4 {
                await fixture.waitForSighting(of: sensor)
                try await fixture.central.connect(sensor)
                try await fixture.central.cancelConnection(sensor)
            }
            await fixture.waitForSighting(of: other)
            return await other.rssi != nil
        }
        #expect(isSeen)
    }

    @Test func `observe reports devices that bluetoothd knew before, but not silent ones`() throws {
        let fleet = oneSensor.replacing("    advertise:", with: "    bonded: true\n    advertise:")
        let seen = try withFixture(fleet) { _, fixture in
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.switchAdvertising(of: "other", on: false)
            }
            return await Self.sightings(5, of: fixture.central, ScanFilter())
        }
        #expect(Set(seen.map(\.address)) == [Fixture.sensor])
    }

    @Test func `observe reports unchanged advertisements only with eachPacket`() throws {
        let (calm, full) = try withFixture(Self.beacons) { _, fixture in
            func values(eachPacket: Bool) async -> [[UInt8]?] {
                var filter = ScanFilter()
                filter.namePrefix = "faint"
                let seen = Mailbox<Sighting>()
                let observation = await fixture.central.observe(filter, eachPacket: eachPacket) { seen.put($0) }
                var values: [[UInt8]?] = []
                while values.count < 10, let sighting = await seen.next() {
                    values.append(sighting.advertisement.manufacturerData[0x0499])
                }
                await fixture.central.stopObserving(observation)
                return values
            }
            return (await values(eachPacket: false), await values(eachPacket: true))
        }
        #expect(calm.compactMap(\.self).count <= 1)
        #expect(full.suffix(8).allSatisfy { $0 == [5, 3] })
    }

    @Test func `a scan without advertisements is restarted, then the adapter's power is cycled`() throws {
        let fleet = oneSensor.replacing(
            "53:01\"}", with: "53:01\", faults: [scan dies]}")
        let (repairs, isSeen) = try withFixture(fleet) { _, fixture in
            let central = Central(bus: fixture.bus, adapters: nil, scanSilence: .milliseconds(20), loop: fixture.loop)
            let repairs = Mailbox<(String, Repair)>()
            await central.onRepair { repair, adapter, _ in repairs.put((adapter.name, repair)) }
            await central.start()
            let sensor = await central.peripheral(at: Fixture.sensor)
            await central.startScanning(for: sensor)
            let first = [await repairs.next(), await repairs.next()]
            try await fixture.simulation.direct { scene throws(SceneError) in
                try scene.cancel(.scanDies, of: "hci0")
            }
            await fixture.waitForSighting(of: sensor, by: central)
            let isSeen = await sensor.rssi != nil
            await central.close()
            return (first, isSeen)
        }
        #expect(repairs.map { $0?.0 } == ["hci0", "hci0"])
        #expect(repairs.map { $0?.1 } == [.restartScan, .powerCycle])
        #expect(isSeen)
    }
}
