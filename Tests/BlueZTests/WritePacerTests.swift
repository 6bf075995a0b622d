import EventLoop
import Testing

@testable import BlueZ

@Suite struct WritePacerTests {
    @Test func `some go at once, the others at the pace of the air, and a pause makes up for it`() {
        var pacer = WritePacer()
        let start = Instant(nanoseconds: 0)
        let delays = (0..<12).map { _ in pacer.next(at: start) - start }
        #expect(delays.prefix(8).allSatisfy { $0 == .zero })
        #expect(delays.suffix(4) == [15, 30, 45, 60].map(Duration.milliseconds))
        let later = start + .seconds(1)
        #expect((0..<8).allSatisfy { _ in pacer.next(at: later) == later })
        #expect(pacer.next(at: later) > later)
    }

    @Test func `what is given up takes no time on the air`() {
        var pacer = WritePacer()
        let start = Instant(nanoseconds: 0)
        for _ in 0..<1000 { _ = pacer.next(at: start) }
        pacer.giveUp(at: start)
        #expect(pacer.next(at: start) - start == .milliseconds(15))
    }
}
