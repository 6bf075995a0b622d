import MQTT
import System
import Testing

@testable import Bridge

@Suite struct TakeoverDetectorTests {
    /// The verdicts at the ends of connections that start and end at these seconds; a failed attempt has no start.
    private func verdicts(_ connections: [(start: Int?, end: Int, cause: EndCause)]) -> [Bool] {
        var detector = TakeoverDetector()
        return connections.map { connection in
            if let start = connection.start { detector.connected(at: instant(start)) }
            return detector.disconnected(because: connection.cause, at: instant(connection.end))
        }
    }

    private func instant(_ second: Int) -> Instant { Instant(nanoseconds: 0) + .seconds(second) }

    private let idle = EndCause.closed(isIdle: true)

    @Test func `TakeoverDetector suspects a takeover after three short connections and ignores failed attempts`() {
        let connections: [(Int?, Int, EndCause)] = [
            (0, 2, idle), (nil, 3, .other), (10, 12, idle), (nil, 13, .other), (20, 22, idle),
        ]
        #expect(verdicts(connections) == [false, false, false, false, true])
    }

    @Test func `TakeoverDetector starts counting again after a long connection`() {
        let connections: [(Int?, Int, EndCause)] = [
            (0, 1, idle), (10, 11, idle), (20, 90, idle), (100, 101, idle), (110, 111, idle),
        ]
        #expect(verdicts(connections).allSatisfy { !$0 })
    }

    @Test func `TakeoverDetector reports a takeover that the broker gives as its reason`() {
        #expect(verdicts([(0, 90, .takenOver), (100, 190, idle)]) == [true, false])
    }

    @Test(arguments: [EndCause.closed(isIdle: false), .other])
    func `TakeoverDetector ignores a broker that closes connections instead of an answer`(cause: EndCause) {
        #expect(verdicts((0..<5).map { ($0 * 10, $0 * 10 + 1, cause) }).allSatisfy { !$0 })
    }
}
