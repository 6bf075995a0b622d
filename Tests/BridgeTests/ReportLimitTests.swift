import Bluetooth
import Configuration
import System
import Testing

@testable import Bridge
@testable import Devices

@Suite struct FailureReportsTests {
    @Test func `FailureReports allows five reports at once, then one per minute with a count`() {
        var reports = FailureReports()
        var counts: [Int] = []
        // Ten values per second for ten minutes.
        for number in 0..<6000 {
            if let count = reports.note(at: Instant(nanoseconds: Int64(number) * 100_000_000)) { counts.append(count) }
        }
        #expect(counts.prefix(5) == [1, 1, 1, 1, 1])
        #expect((10...15).contains(counts.count))
        #expect(counts.dropFirst(5).reduce(0, +) > 2900)
    }
}

@Suite struct FailureLinesTests {
    @Test func `FailureLines allows 60 lines at once, then one per 10 s with a count`() {
        let failures = FailureLines()
        var lines: [String] = []
        // A thousand failures per second for a minute.
        for number in 0..<60_000 {
            let now = Instant(nanoseconds: Int64(number) * 1_000_000)
            if let line = failures.line("failed", at: now) { lines.append(line) }
        }
        #expect(lines.prefix(60).allSatisfy { $0 == "failed" })
        #expect((64...66).contains(lines.count))
        let counts = lines.dropFirst(60).compactMap { line in
            line.firstMatch(of: /and (\d+) others since/).flatMap { Int($0.output.1) }
        }
        #expect(counts.count == lines.count - 60 && counts.reduce(0, +) > 49_000)
    }
}

@Suite struct AdoptionLimitTests {
    private func sighting(_ number: UInt64) -> Sighting {
        var advertisement = Advertisement()
        advertisement.localName = "Sensor \(number)"
        return Sighting(
            address: Address(0xC0_0000_0000_00 + number), kind: .random, adapter: "hci0", advertisement: advertisement)
    }

    @Test func `RateLimit admits 60 devices at once, then 30 per minute`() {
        var rate = RateLimit.adoptions
        // 400 devices per second for two minutes.
        let count = (0..<48_000).count { rate.admit(at: Instant(nanoseconds: Int64($0) * 2_500_000)) }
        #expect((119...121).contains(count))
    }

    @Test func `Newcomers proves a device that is seen again after a second, and no address that is seen once`() {
        var newcomers = Newcomers()
        func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
        newcomers.add(sighting(1), at: instant(0))
        newcomers.add(sighting(1), at: instant(900))
        #expect(newcomers.proven(sighting(1).address, at: instant(999)) == nil)
        #expect(newcomers.proven(sighting(1).address, at: instant(1000)) == sighting(1))
        #expect(newcomers.proven(sighting(2).address, at: instant(1000)) == nil)
        newcomers.remove(sighting(1).address)
        #expect(newcomers.proven(sighting(1).address, at: instant(2000)) == nil)
    }

    @Test func `Newcomers remembers 4,000 devices, and a genuine one among 400 invented addresses per second`() {
        var newcomers = Newcomers()
        var proofs: Set<UInt64> = []
        for number in 0..<UInt64(40_000) {
            let now = Instant(nanoseconds: Int64(number) * 2_500_000)
            // The genuine device advertises every 2 s.
            let sighting = sighting(number % 800 == 0 ? 1 << 32 : number)
            if newcomers.proven(sighting.address, at: now) != nil { proofs.insert(sighting.address.value) }
            newcomers.add(sighting, at: now)
            #expect(newcomers.count <= 4000)
        }
        #expect(proofs == [sighting(1 << 32).address.value])
    }

    @Test func `a full roster adopts a device only in the place of one without a value`() throws {
        let rules = try Configuration(yaml: "fleet: [{match: {name: \"Sensor*\"}, device: \"sensors/{address}\"}]")
            .fleet
        var roster = Roster()
        let first = roster.adopt((1...1000).map { sighting($0) }, into: Configuration.DeviceList(), by: rules)
        #expect(first.count == 1000)
        #expect(roster.adopt([sighting(2000)], into: Configuration.DeviceList(), by: rules).isEmpty)
        let unproven = [sighting(7).address]
        let news = roster.adopt(
            [sighting(2000), sighting(2001)], into: Configuration.DeviceList(), by: rules, replacing: unproven)
        #expect(news.map(\.address) == [sighting(2000).address])
        #expect(roster.adopted.count == 1000)
        #expect(!roster.adopted.contains { $0.address == sighting(7).address })
    }
}
