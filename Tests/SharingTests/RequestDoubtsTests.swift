import Testing

@testable import Contract
@testable import Sharing

@Suite struct RequestDoubtsTests {
    private static func processes(_ starts: Range<Int>) -> Set<FleetProcess> {
        Set(starts.map { FleetProcess(gateway: "attic", start: "\($0)") })
    }

    @Test func `more processes than gateways are not kept, and one of those that are kept is gone`() throws {
        var doubts = RequestDoubts()
        for round in 0..<10 { doubts.add(["request"], Self.processes(round * 100..<(round + 1) * 100)) }
        let report = try #require(doubts.report)
        #expect(report.requests == ["request"] && report.processes.count == 501)
        #expect(FleetDoubt(report.json) == report)
        let running = Set(report.processes.prefix(500))
        #expect(doubts.hasLost { running.contains($0) })
    }

    @Test func `without a request there are no doubts`() {
        var doubts = RequestDoubts()
        doubts.add([], Self.processes(0..<3))
        #expect(doubts.report == nil && !doubts.hasLost { _ in false })
        doubts.add(["request"], Self.processes(0..<3))
        doubts.remove("request")
        #expect(doubts.report == nil && !doubts.hasLost { _ in false })
    }
}
