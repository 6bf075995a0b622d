import EventLoop
import System
import Testing

@testable import BlueZ

@Suite struct WritePacerTests {
    @Test func `WritePacer admits a burst at once, then one write per interval, and a burst again after a pause`() {
        var pacer = WritePacer()
        let start = Instant(nanoseconds: 0)
        let delays = (0..<12).map { _ in pacer.next(at: start) - start }
        #expect(delays.prefix(8).allSatisfy { $0 == .zero })
        #expect(delays.suffix(4) == [15, 30, 45, 60].map(Duration.milliseconds))
        let later = start + .seconds(1)
        #expect((0..<8).allSatisfy { _ in pacer.next(at: later) == later })
        #expect(pacer.next(at: later) > later)
    }

    @Test func `WritePacer does not wait for cancelled writes`() {
        var pacer = WritePacer()
        let start = Instant(nanoseconds: 0)
        for _ in 0..<1000 { _ = pacer.next(at: start) }
        pacer.cancelPending(at: start)
        #expect(pacer.next(at: start) - start == .milliseconds(15))
    }
}
