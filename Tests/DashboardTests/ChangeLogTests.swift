import System
import Testing

@testable import Dashboard

@Suite struct ChangeLogTests {
    private let world = World()

    private func change(
        _ topic: String, device: String? = nil, _ audience: Change.Audience = .everyone, payload: String? = nil
    ) -> Change {
        Change(topic: topic, device: device, audience: audience, payload: payload.map { Array($0.utf8) })
    }

    private func topics(
        _ log: ChangeLog, after id: Int, device: String? = nil, visitor: String = "v",
        pairs: (String, String) -> Bool = { _, _ in false }
    ) -> [String]? {
        log.events(after: id, for: ChangeLog.Reader(device: device, visitor: visitor), in: world, pairs)?.map(\.topic)
    }

    @Test func `a page receives each topic once, in the order of the newest changes`() {
        var log = ChangeLog(startingAt: 100)
        for topic in ["a/x", "a/y", "a/x", "a/x"] { log.append(change(topic, device: "a")) }
        #expect(topics(log, after: 100) == ["a/y", "a/x"])
        #expect(topics(log, after: 103) == ["a/x"])
        #expect(topics(log, after: 104) == [])
    }

    @Test func `each event of a gateway is sent`() {
        var log = ChangeLog(startingAt: 0)
        for number in 0..<3 { log.append(change("bridge/attic/event", device: "a", payload: "\(number)")) }
        #expect(topics(log, after: 0)?.count == 3)
    }

    @Test func `a page reads everything again if its last event is unknown`() {
        var log = ChangeLog(startingAt: 1000)
        for _ in 0..<20_000 { log.append(change("a/x", device: "a")) }
        #expect(topics(log, after: 1000) == nil)
        #expect(topics(log, after: 21_001) == nil)
        #expect(topics(log, after: -1) == nil)
        #expect(topics(log, after: 20_990) == ["a/x"])
        #expect(topics(ChangeLog(startingAt: 5), after: 5) == [])
        #expect(topics(ChangeLog(startingAt: 5), after: 4) == nil)
    }

    @Test func `large events make room for new ones`() {
        var log = ChangeLog(startingAt: 0)
        let payload = String(repeating: "x", count: 60_000)
        for _ in 0..<200 { log.append(change("bridge/attic/event", payload: payload)) }
        #expect(topics(log, after: 0) == nil)
        #expect(topics(log, after: 199)?.count == 1)
    }

    @Test func `the pages of all devices and of one device receive their own topics`() {
        var log = ChangeLog(startingAt: 0)
        log.append(change("a/info", device: "a", .devicePage))
        log.append(change("b/x", device: "b"))
        log.append(change("bridge/attic/state"))
        #expect(topics(log, after: 0) == ["b/x", "bridge/attic/state"])
        #expect(topics(log, after: 0, device: "a") == ["a/info", "bridge/attic/state"])
    }

    @Test func `a passkey goes to the visitor who pairs`() {
        var log = ChangeLog(startingAt: 0)
        log.append(change("bridge/attic/pairing", .pairing(gateway: "attic"), payload: "{}"))
        let pairs = { (visitor: String, gateway: String) in visitor == "own" && gateway == "attic" }
        #expect(topics(log, after: 0, visitor: "own", pairs: pairs)?.count == 1)
        #expect(topics(log, after: 0, visitor: "other", pairs: pairs) == [])
    }
}
