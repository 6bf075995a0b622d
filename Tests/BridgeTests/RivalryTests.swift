import EventLoop
import Testing

@testable import Bridge

@Suite struct RivalryTests {
    /// What is found of connections that begin and end at these seconds; attempts that fail have no beginning.
    private func findings(_ connections: [(beginning: Int?, end: Int)]) -> [Bool] {
        var rivalry = Rivalry()
        return connections.map { connection in
            if let beginning = connection.beginning { rivalry.connected(at: instant(beginning)) }
            return rivalry.disconnected(at: instant(connection.end))
        }
    }

    private func instant(_ second: Int) -> Instant { Instant(nanoseconds: 0) + .seconds(second) }

    @Test func `three short connections in a row are suspicious, and attempts between them do not count`() {
        #expect(findings([(0, 2), (nil, 3), (10, 12), (nil, 13), (20, 22)]) == [false, false, false, false, true])
    }

    @Test func `a connection that lasts is the end of the suspicion`() {
        #expect(findings([(0, 1), (10, 11), (20, 90), (100, 101), (110, 111)]).allSatisfy { !$0 })
    }
}
