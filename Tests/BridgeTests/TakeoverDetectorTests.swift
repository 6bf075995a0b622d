import EventLoop
import System
import Testing

@testable import Bridge

@Suite struct TakeoverDetectorTests {
    /// The verdicts at the ends of connections that start and end at these seconds; a failed attempt has no start.
    private func verdicts(_ connections: [(start: Int?, end: Int)]) -> [Bool] {
        var detector = TakeoverDetector()
        return connections.map { connection in
            if let start = connection.start { detector.connected(at: instant(start)) }
            return detector.disconnected(at: instant(connection.end))
        }
    }

    private func instant(_ second: Int) -> Instant { Instant(nanoseconds: 0) + .seconds(second) }

    @Test func `TakeoverDetector suspects a takeover after three short connections and ignores failed attempts`() {
        #expect(verdicts([(0, 2), (nil, 3), (10, 12), (nil, 13), (20, 22)]) == [false, false, false, false, true])
    }

    @Test func `TakeoverDetector starts counting again after a long connection`() {
        #expect(verdicts([(0, 1), (10, 11), (20, 90), (100, 101), (110, 111)]).allSatisfy { !$0 })
    }
}
