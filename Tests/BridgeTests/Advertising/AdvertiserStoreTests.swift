import Bluetooth
import System
import TestSupport
import Testing

@testable import Bridge
@testable import Devices

/// The file `advertisers.json`.
@Suite struct AdvertiserStoreTests {
    private let address = Address(0xC0_0000_0000_01)
    private let now = Instant(nanoseconds: 5_000_000_000_000)
    private let time = Timestamp(milliseconds: 1_700_000_000_000)

    private func memory(secondsAgo: Int64, interval: Duration?, isSilent: Bool = false) -> AdvertiserMemory {
        AdvertiserMemory(lastAccepted: now + .seconds(-secondsAgo), interval: interval, isSilent: isSilent)
    }

    @Test func `a memory survives a restart of the machine`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var store = AdvertiserStore(in: folder.path)
        var silent = memory(secondsAgo: 300, interval: .milliseconds(2500), isSilent: true)
        silent.restarts["bthome"] = now + .seconds(-7200)
        store.save([address: silent], at: now, time)
        // The clock of the machine begins again, the calendar continues.
        let later = AdvertiserStore(in: folder.path).memory(
            of: address, at: Instant(nanoseconds: 1_000_000_000), Timestamp(milliseconds: time.milliseconds + 60_000))
        #expect(
            later
                == AdvertiserMemory(
                    lastAccepted: Instant(nanoseconds: 1_000_000_000) + .seconds(-360), interval: .milliseconds(2500),
                    isSilent: true, restarts: ["bthome": Instant(nanoseconds: 1_000_000_000) + .seconds(-7260)]))
        #expect(AdvertiserStore(in: folder.path).memory(of: Address(0xC0_0000_0000_02), at: now, time) == nil)
    }

    @Test func `only a change of the state or of the interval is written, and everything at the end`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var store = AdvertiserStore(in: folder.path)
        func stored() -> AdvertiserMemory? { AdvertiserStore(in: folder.path).memory(of: address, at: now, time) }
        let first = memory(secondsAgo: 100, interval: .seconds(10))
        store.save([address: first], at: now, time)
        #expect(stored() == first)
        store.save([address: memory(secondsAgo: 1, interval: .seconds(19))], at: now, time)
        #expect(stored() == first)
        let slower = memory(secondsAgo: 1, interval: .seconds(21))
        store.save([address: slower], at: now, time)
        #expect(stored() == slower)
        let silent = memory(secondsAgo: 1, interval: .seconds(21), isSilent: true)
        store.save([address: silent], at: now, time)
        #expect(stored() == silent)
        let last = memory(secondsAgo: 0, interval: .seconds(21), isSilent: true)
        store.save([address: last], at: now, time, isLast: true)
        #expect(stored() == last)
    }

    @Test func `the counters of encrypted packets are stored at the first packet, and after 1,000 more`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        var store = AdvertiserStore(in: folder.path)
        func save(_ counter: UInt64, isLast: Bool = false) -> UInt64? {
            var memory = memory(secondsAgo: 1, interval: nil)
            memory.counters["bthome"] = counter
            store.save([address: memory], at: now, time, isLast: isLast)
            return AdvertiserStore(in: folder.path).memory(of: address, at: now, time)?.counters["bthome"]
        }
        #expect(save(4_000_000_000) == 4_000_000_000)
        #expect(save(4_000_001_000) == 4_000_000_000)
        #expect(save(4_000_001_001) == 4_000_001_001)
        #expect(save(7) == 7)
        #expect(save(9) == 7)
        #expect(save(9, isLast: true) == 9)
    }

    @Test func `damaged memories are left out`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try TextFile.write(
            #"{"C0:00:00:00:00:01":{"last_heard":-1},"C0:00:00:00:00:02":{"last_heard":1,"interval":-5},"x":3}"#,
            to: folder.path("advertisers.json"))
        let store = AdvertiserStore(in: folder.path)
        #expect(store.memory(of: address, at: now, time) == nil)
        #expect(try #require(store.memory(of: Address(0xC0_0000_0000_02), at: now, time)).interval == nil)
    }
}
