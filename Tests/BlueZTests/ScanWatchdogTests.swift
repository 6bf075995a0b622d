import EventLoop
import System
import Testing

@testable import BlueZ

@Suite struct ScanWatchdogTests {
    private static func time(_ seconds: Int) -> Instant { Instant(nanoseconds: Int64(seconds) * 1_000_000_000) }

    @Test func `ScanWatchdog asks for no repair while devices are seen`() {
        var watchdog = ScanWatchdog(silence: .seconds(90), at: Self.time(0))
        watchdog.seen(at: Self.time(60))
        #expect(watchdog.check(at: Self.time(90), isInUse: false) == nil)
        #expect(watchdog.nextCheck == Self.time(150))
    }

    @Test func `ScanWatchdog asks for repairs at growing intervals if no device is ever seen`() {
        var watchdog = ScanWatchdog(silence: .seconds(90), at: Self.time(0))
        var repairs: [(Instant, Repair?)] = []
        for _ in 0..<16 {
            let moment = watchdog.nextCheck
            repairs.append((moment, watchdog.check(at: moment, isInUse: false)))
        }
        #expect(repairs.prefix(4).map(\.1) == [.restartScan, .powerCycle, .restartScan, .powerCycle])
        #expect(repairs.prefix(4).map(\.0) == [90, 180, 360, 540].map(Self.time))
        let last = repairs.suffix(2).map(\.0)
        #expect(last[1] - last[0] == .seconds(3600))
        watchdog.seen(at: Self.time(100_000))
        #expect(watchdog.nextCheck == Self.time(100_090))
    }

    @Test func `ScanWatchdog asks for no power cycle of an adapter with connections`() {
        var watchdog = ScanWatchdog(silence: .seconds(90), at: Self.time(0))
        for _ in 0..<4 { #expect(watchdog.check(at: watchdog.nextCheck, isInUse: true) == .restartScan) }
    }
}
