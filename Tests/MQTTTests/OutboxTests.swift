import EventLoop
import Testing

@testable import MQTT

@Suite struct OutboxTests {
    private let start = Instant(nanoseconds: 0)

    private func message(_ topic: Topic, _ text: String, expiry: Duration? = nil) -> Message {
        Message(topic, Array(text.utf8), properties: Message.Properties(expiry: expiry))
    }

    private func drain(_ outbox: inout Outbox, at now: Instant) -> [String] {
        var texts: [String] = []
        while let entry = outbox.next(at: now) {
            texts.append(entry.message.text ?? "")
        }
        return texts
    }

    @Test func `messages leave in the order in which they came`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), keeping: .each, at: start)
        outbox.put(message("b", "2"), keeping: .latest, at: start)
        outbox.put(message("a", "3"), keeping: .each, at: start)
        outbox.put(message("c", "4"), keeping: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["1", "2", "3", "4"])
        #expect(outbox.isEmpty && outbox.size == 0)
    }

    @Test func `of a state only the newest waits, in the place of the oldest`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "old"), keeping: .latest, at: start)
        outbox.put(message("b", "2"), keeping: .each, at: start)
        outbox.put(message("a", "newer"), keeping: .latest, at: start)
        outbox.put(message("a", "newest"), keeping: .latest, at: start)
        #expect(outbox.count == 2)
        #expect(drain(&outbox, at: start) == ["newest", "2"])
        outbox.put(message("a", "again"), keeping: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["again"])
        #expect(outbox.dropped == 0)
    }

    @Test func `while a line moves each value has its turn, and once it halts only the newest`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        #expect(drain(&outbox, at: start) == [])
        for text in ["1", "2"] { outbox.put(message("a", text), keeping: .latest, at: start) }
        outbox.put(message("b", "3"), keeping: .each, at: start)
        outbox.put(message("a", "4"), keeping: .latest, at: start)
        var moving = outbox
        #expect(drain(&moving, at: start) == ["1", "2", "3", "4"])
        outbox.halt()
        #expect(outbox.count == 2)
        outbox.put(message("a", "5"), keeping: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["3", "5"])
        #expect(outbox.isEmpty && outbox.size == 0)
    }

    @Test func `what waits beside the newest of each state is the backlog`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        #expect(drain(&outbox, at: start) == [])
        for _ in 0..<3000 { outbox.put(message("a", "x"), keeping: .latest, at: start) }
        outbox.put(message("b", "y"), keeping: .latest, at: start)
        outbox.put(message("a", "event"), keeping: .each, at: start)
        #expect(outbox.count == 3002)
        #expect(outbox.backlog == 3000)
        outbox.halt()
        #expect(outbox.count == 3)
        #expect(outbox.backlog == 1)
        #expect(outbox.superseded == 2999)
    }

    @Test func `when there is no room the values go first that a newer one has followed`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 3))
        #expect(drain(&outbox, at: start) == [])
        outbox.put(message("e", "event"), keeping: .each, at: start)
        for text in ["old", "newest"] { outbox.put(message("a", text), keeping: .latest, at: start) }
        outbox.put(message("b", "other"), keeping: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["event", "newest", "other"])
        #expect(outbox.superseded == 1)
        #expect(outbox.dropped == 0)
    }

    @Test func `when there is no room the oldest events go first, then the oldest states`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 3))
        outbox.put(message("s", "state"), keeping: .latest, at: start)
        for number in 1...4 {
            outbox.put(message("e", "\(number)"), keeping: .each, at: start)
        }
        #expect(outbox.dropped == 2)
        outbox.put(message("t", "other"), keeping: .latest, at: start)
        outbox.put(message("u", "third"), keeping: .latest, at: start)
        outbox.put(message("v", "fourth"), keeping: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["other", "third", "fourth"])
        #expect(outbox.dropped == 5)
    }

    @Test func `memory is bounded too`() {
        let large = Message("e", [UInt8](repeating: 0, count: 1000))
        var outbox = Outbox(limits: Client.OutboxLimits(size: 3 * large.size))
        for _ in 0..<5 {
            outbox.put(large, keeping: .each, at: start)
        }
        #expect(outbox.count == 3)
        #expect(outbox.size == 3 * large.size)
        #expect(outbox.dropped == 2)
    }

    @Test func `what an asker wants back takes memory as well`() {
        let data = Message.Properties(responseTopic: "answer", correlationData: [UInt8](repeating: 0, count: 60_000))
        #expect(Message("e", properties: data).size == Message("e").size + 60_006)
    }

    @Test func `the time waited is taken off the time to live`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "short", expiry: .seconds(10)), keeping: .each, at: start)
        outbox.put(message("a", "long", expiry: .seconds(60)), keeping: .each, at: start)
        outbox.put(message("a", "for ever"), keeping: .each, at: start)
        let later = start + .seconds(10)
        #expect(outbox.next(at: later)?.message.properties.expiry == .seconds(50))
        #expect(outbox.next(at: later)?.message.properties.expiry == nil)
        #expect(outbox.expired == 1)
    }

    @Test func `what is put back has its old place, and of a state only the newest stays`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1", expiry: .seconds(60)), keeping: .latest, at: start)
        outbox.put(message("e", "2", expiry: .seconds(60)), keeping: .each, at: start)
        outbox.put(message("b", "3"), keeping: .latest, at: start)
        let sent = (1...3).compactMap { _ in outbox.next(at: start + .seconds(10)) }
        outbox.put(message("a", "4"), keeping: .latest, at: start)
        outbox.put(message("e", "5"), keeping: .each, at: start)
        outbox.putBack(sent)
        #expect(outbox.superseded == 1)
        let first = outbox.next(at: start + .seconds(30))
        #expect(first?.message.text == "2" && first?.message.expiry == .seconds(30))
        #expect(drain(&outbox, at: start) == ["3", "4", "5"])
        #expect(outbox.size == 0)
    }

    @Test func `a long line forgets nothing and mixes nothing up`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        var expected: [String] = []
        var seen: [String] = []
        for number in 0..<1000 {
            outbox.put(message("e", "\(number)"), keeping: .each, at: start)
            expected.append("\(number)")
            if number % 3 != 0 { seen.append(outbox.next(at: start)?.message.text ?? "") }
        }
        seen += drain(&outbox, at: start)
        #expect(seen == expected)
    }
}
