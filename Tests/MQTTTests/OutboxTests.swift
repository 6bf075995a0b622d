import EventLoop
import System
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

    @Test func `Outbox returns messages in the order of publishing`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), policy: .each, at: start)
        outbox.put(message("b", "2"), policy: .latest, at: start)
        outbox.put(message("a", "3"), policy: .each, at: start)
        outbox.put(message("c", "4"), policy: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["1", "2", "3", "4"])
        #expect(outbox.isEmpty && outbox.size == 0)
    }

    @Test func `Outbox changes the payloads of queued messages in place`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("gone", "0"), policy: .each, at: start)
        #expect(outbox.next(at: start)?.message.text == "0")
        outbox.put(message("a", "1"), policy: .each, at: start)
        outbox.put(message("b", "2"), policy: .latest, at: start)
        outbox.put(message("c", "3"), policy: .latest, at: start)
        outbox.changePayloads { $0.text == "3" ? nil : Array("\($0.text ?? "") changed".utf8) }
        #expect(drain(&outbox, at: start) == ["1 changed", "2 changed", "3"])
        #expect(outbox.isEmpty && outbox.size == 0)
    }

    @Test func `the payloads of messages in flight change too: they can be sent again or stored`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), policy: .each, at: start)
        var inFlight = InFlight(window: 1)
        if let entry = outbox.next(at: start) { inFlight.add(entry, as: 1) }
        inFlight.changePayloads { Array("\($0.text ?? "") changed".utf8) }
        #expect(inFlight.remove(1)?.message.text == "1 changed")
    }

    @Test func `a halted Outbox keeps the newest value of a state, at the place of the oldest`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "old"), policy: .latest, at: start)
        outbox.put(message("b", "2"), policy: .each, at: start)
        outbox.put(message("a", "newer"), policy: .latest, at: start)
        outbox.put(message("a", "newest"), policy: .latest, at: start)
        #expect(outbox.count == 2)
        #expect(drain(&outbox, at: start) == ["newest", "2"])
        outbox.put(message("a", "again"), policy: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["again"])
        #expect(outbox.dropped == 0)
    }

    @Test func `a moving Outbox keeps each value of a state, and halt keeps only the newest`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        #expect(drain(&outbox, at: start) == [])
        for text in ["1", "2"] { outbox.put(message("a", text), policy: .latest, at: start) }
        outbox.put(message("b", "3"), policy: .each, at: start)
        outbox.put(message("a", "4"), policy: .latest, at: start)
        var moving = outbox
        #expect(drain(&moving, at: start) == ["1", "2", "3", "4"])
        outbox.halt()
        #expect(outbox.count == 2)
        outbox.put(message("a", "5"), policy: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["3", "5"])
        #expect(outbox.isEmpty && outbox.size == 0)
    }

    @Test func `the backlog does not count the newest value of each state`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        #expect(drain(&outbox, at: start) == [])
        for _ in 0..<3000 { outbox.put(message("a", "x"), policy: .latest, at: start) }
        outbox.put(message("b", "y"), policy: .latest, at: start)
        outbox.put(message("a", "event"), policy: .each, at: start)
        #expect(outbox.count == 3002)
        #expect(outbox.backlog == 3000)
        outbox.halt()
        #expect(outbox.count == 3)
        #expect(outbox.backlog == 1)
        #expect(outbox.superseded == 2999)
    }

    @Test func `a full Outbox first drops values that are not the newest of their state`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 3))
        #expect(drain(&outbox, at: start) == [])
        outbox.put(message("e", "event"), policy: .each, at: start)
        for text in ["old", "newest"] { outbox.put(message("a", text), policy: .latest, at: start) }
        outbox.put(message("b", "other"), policy: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["event", "newest", "other"])
        #expect(outbox.superseded == 1)
        #expect(outbox.dropped == 0)
    }

    @Test func `a full Outbox drops the oldest events, then the oldest states`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 3))
        outbox.put(message("s", "state"), policy: .latest, at: start)
        for number in 1...4 {
            outbox.put(message("e", "\(number)"), policy: .each, at: start)
        }
        #expect(outbox.dropped == 2)
        outbox.put(message("t", "other"), policy: .latest, at: start)
        outbox.put(message("u", "third"), policy: .latest, at: start)
        outbox.put(message("v", "fourth"), policy: .latest, at: start)
        #expect(drain(&outbox, at: start) == ["other", "third", "fourth"])
        #expect(outbox.dropped == 5)
    }

    @Test func `a full Outbox drops messages with reserved room last, and sends them in their place`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 10, size: 1 << 20))
        func response() -> Outbox.Sequel { Outbox.Sequel(fallback: message("usual", "x"), holding: [Room()]) }
        for number in 1...5 {
            outbox.put(message("response", "\(number)"), policy: .each, at: start, sequel: response())
            outbox.put(message("event", "\(number)"), policy: .each, at: start)
        }
        #expect(outbox.next(at: start)?.message.text == "1")
        for number in 6...20 { outbox.put(message("event", "\(number)"), policy: .each, at: start) }
        var texts: [String] = []
        while let entry = outbox.next(at: start) { texts.append("\(entry.message.topic) \(entry.message.text ?? "")") }
        #expect(texts.filter { $0.hasPrefix("response") } == ["response 2", "response 3", "response 4", "response 5"])
        #expect(texts.count == 10)
        #expect(texts.last == "event 20")
        #expect(outbox.size == 0)
    }

    private final class Room: Sendable {}

    @Test func `Outbox limits its memory`() {
        let large = Message("e", [UInt8](repeating: 0, count: 1000))
        var outbox = Outbox(limits: Client.OutboxLimits(size: 3 * large.size))
        for _ in 0..<5 {
            outbox.put(large, policy: .each, at: start)
        }
        #expect(outbox.count == 3)
        #expect(outbox.size == 3 * large.size)
        #expect(outbox.dropped == 2)
    }

    @Test func `the size of a message includes the response topic and the correlation data`() {
        let data = Message.Properties(responseTopic: "answer", correlationData: [UInt8](repeating: 0, count: 60_000))
        #expect(Message("e", properties: data).size == Message("e").size + 60_006)
    }

    @Test func `the time in the Outbox reduces the expiry of a message`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "short", expiry: .seconds(10)), policy: .each, at: start)
        outbox.put(message("a", "long", expiry: .seconds(60)), policy: .each, at: start)
        outbox.put(message("a", "for ever"), policy: .each, at: start)
        let later = start + .seconds(10)
        #expect(outbox.next(at: later)?.message.properties.expiry == .seconds(50))
        #expect(outbox.next(at: later)?.message.properties.expiry == nil)
        #expect(outbox.expired == 1)
    }

    @Test func `putBack restores the original place, and keeps only the newest value of a state`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1", expiry: .seconds(60)), policy: .latest, at: start)
        outbox.put(message("e", "2", expiry: .seconds(60)), policy: .each, at: start)
        outbox.put(message("b", "3"), policy: .latest, at: start)
        let sent = (1...3).compactMap { _ in outbox.next(at: start + .seconds(10)) }
        outbox.put(message("a", "4"), policy: .latest, at: start)
        outbox.put(message("e", "5"), policy: .each, at: start)
        outbox.putBack(sent)
        #expect(outbox.superseded == 1)
        let first = outbox.next(at: start + .seconds(30))
        #expect(first?.message.text == "2" && first?.message.expiry == .seconds(30))
        #expect(drain(&outbox, at: start) == ["3", "4", "5"])
        #expect(outbox.size == 0)
    }

    @Test func `Outbox returns 1,000 messages complete and in order while others are added`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        var expected: [String] = []
        var seen: [String] = []
        for number in 0..<1000 {
            outbox.put(message("e", "\(number)"), policy: .each, at: start)
            expected.append("\(number)")
            if number % 3 != 0 { seen.append(outbox.next(at: start)?.message.text ?? "") }
        }
        seen += drain(&outbox, at: start)
        #expect(seen == expected)
    }
}
