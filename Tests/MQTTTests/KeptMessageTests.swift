import EventLoop
import System
import TestTraits
import Testing

@testable import MQTT

/// Messages that must be kept: the queue hands them over before it would drop them.
@Suite(.ownThreads) struct KeptMessageTests {
    private let start = Instant(nanoseconds: 0)
    private let kept = QueuePolicy(.latest, isKept: true)

    private func message(_ topic: Topic, _ text: String, expiry: Duration? = nil) -> Message {
        Message(topic, Array(text.utf8), properties: Message.Properties(expiry: expiry))
    }

    private func drain(_ outbox: inout Outbox, at now: Instant) -> [String] {
        var texts: [String] = []
        while let entry = outbox.next(at: now) { texts.append(entry.message.text ?? "") }
        return texts
    }

    private func texts(_ messages: [KeptMessage]) -> [String] {
        messages.map { "\($0.message.text ?? "")\($0.isWaiting ? " waits" : "")" }
    }

    @Test func `a halted Outbox keeps each kept value, in order`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), policy: kept, at: start)
        outbox.put(message("b", "x"), policy: .latest, at: start)
        outbox.put(message("a", "2"), policy: kept, at: start)
        outbox.put(message("b", "y"), policy: .latest, at: start)
        outbox.halt()
        #expect(outbox.hasKept(since: start))
        #expect(drain(&outbox, at: start) == ["1", "y", "2"])
        #expect(outbox.size == 0 && outbox.keptSize == 0 && outbox.superseded == 1)
    }

    @Test func `handOver returns each kept message once, and leaves the newest of a state`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        for text in ["1", "2"] { outbox.put(message("a", text), policy: kept, at: start) }
        outbox.put(message("e", "event"), policy: QueuePolicy(.each, isKept: true), at: start)
        outbox.put(message("e", "response"), policy: .each, at: start)
        #expect(texts(outbox.handOver()) == ["1", "2 waits", "event"])
        #expect(outbox.handOver().isEmpty && outbox.keptSize == 0)
        outbox.put(message("a", "3"), policy: kept, at: start)
        #expect(texts(outbox.handOver()) == ["3 waits"])
        #expect(drain(&outbox, at: start) == ["response", "3"])
        #expect(outbox.size == 0)
    }

    @Test func `a state that is published again does not replace the same kept state`() throws {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), policy: kept, at: start)
        let handedOver = outbox.handOver()
        let place = try #require(handedOver.first?.place)
        outbox.put(message("a", "1"), policy: .latest, at: start)
        let next = outbox.next(at: start)
        let entry = try #require(next)
        #expect(entry.place == place && entry.isHandedOver && outbox.isEmpty)
    }

    @Test func `a full Outbox and an expired message hand over instead of dropping`() {
        var outbox = Outbox(limits: Client.OutboxLimits(count: 3))
        for number in 1...5 { outbox.put(message("a", "\(number)"), policy: kept, at: start) }
        #expect(outbox.hasDisplaced && outbox.dropped == 0 && outbox.count <= 3)
        #expect(texts(outbox.handOver()) == ["1", "2", "3", "4 waits", "5 waits"])
        var expiring = Outbox(limits: Client.OutboxLimits())
        expiring.put(message("a", "old", expiry: .seconds(1)), policy: kept, at: start)
        #expect(expiring.next(at: start + .seconds(2)) == nil)
        #expect(texts(expiring.handOver()) == ["old"] && expiring.expired == 0)
    }

    @Test func `messages in flight are handed over, and wait for their acknowledgement`() {
        var deliveries = Deliveries(limits: Client.OutboxLimits(), window: 100, rate: nil)
        let submission = deliveries.submit(
            message("a", "1"), kept, isConnected: true, canSend: true, bundles: false, at: start)
        guard case .ready(let entry) = submission else {
            Issue.record("\(submission)")
            return
        }
        deliveries.sent(entry, as: 7)
        #expect(deliveries.hasKept(since: start))
        #expect(texts(deliveries.handOver()) == ["1 waits"])
        #expect(!deliveries.hasKept(since: start) && deliveries.handOver().isEmpty)
        #expect(deliveries.acknowledged(7)?.isHandedOver == true)
    }

    @Test func `a client hands over what a silent broker does not accept, and reports what it accepts later`() throws {
        try EventLoop.run { home in
            let broker = try SlowBroker(on: home.loop)
            let fixture = try ClientFixture(broker.port, on: home.loop) {
                $0.keepAfter = .zero
                $0.keepAlive = .seconds(5)
            }
            await fixture.connected()
            broker.stopAcknowledging()
            fixture.client.publish(message("a", "1"), policy: kept)
            fixture.client.publish(message("b", "no"), policy: .latest)
            let first = await fixture.kept()
            #expect(texts(first) == ["1 waits"])
            broker.acknowledgeAll()
            #expect(await fixture.settled() == first[0].place)
            await fixture.close()
        }
    }

    @Test func `while the broker is away, each kept message is copied once, until the broker has accepted it`() throws {
        try EventLoop.run { home in
            var isAway = true
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: isAway ? [0x20, 3, 0, 0x88, 0] : FakeBroker.accepted
                case .publish: [0x40, 2, body[3], body[4]]
                default: []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            for text in ["1", "2"] { fixture.client.publish(message("a", text), policy: kept) }
            fixture.client.publish(message("b", "no"), policy: .latest)
            #expect(texts(await fixture.copied()) == ["1 waits", "2 waits"])
            fixture.client.publish(message("a", "3"), policy: kept)
            #expect(texts(await fixture.copied()) == ["3 waits"])
            isAway = false
            await fixture.copiesEnded()
            #expect(fixture.client.statistics.sent == 4)
            await fixture.close()
        }
    }

    @Test func `messages that a silent broker does not acknowledge are copied`() throws {
        try EventLoop.run { home in
            let broker = try SlowBroker(on: home.loop)
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.keepAlive = .seconds(5) }
            await fixture.connected()
            broker.stopAcknowledging()
            fixture.client.publish(message("a", "1"), policy: kept)
            #expect(texts(await fixture.copied()) == ["1 waits"])
            fixture.client.publish(message("a", "2"), policy: kept)
            #expect(texts(await fixture.copied()) == ["2 waits"])
            broker.acknowledgeAll()
            await fixture.copiesEnded()
            await fixture.close()
        }
    }

    @Test func `an Outbox copies the messages that wait, in order, and hands over the same ones`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.put(message("a", "1"), policy: kept, at: start)
        outbox.put(message("e", "2"), policy: QueuePolicy(.each, isKept: true), at: start)
        outbox.put(message("b", "x"), policy: .latest, at: start)
        #expect(!outbox.hasCopies && !outbox.hasCopied)
        outbox.startCopying()
        outbox.put(message("a", "3"), policy: kept, at: start)
        #expect(texts(outbox.takeCopies()) == ["1 waits", "2 waits", "3 waits"])
        #expect(outbox.takeCopies().isEmpty && outbox.hasCopied)
        outbox.stopCopying()
        outbox.startCopying()
        #expect(outbox.takeCopies().isEmpty)
        #expect(texts(outbox.handOver()) == ["1", "2", "3 waits"])
        #expect(!outbox.hasCopied)
    }

    @Test func `an Outbox that copies also copies the messages that return to it`() {
        var outbox = Outbox(limits: Client.OutboxLimits())
        outbox.startCopying()
        let entry = outbox.entry(for: message("a", "1"), kept, at: start)
        outbox.putBack([entry])
        #expect(texts(outbox.takeCopies()) == ["1 waits"])
    }

    @Test func `without a connection, a message of the order connected is dropped`() throws {
        try EventLoop.run { home in
            let fixture = try ClientFixture(1, on: home.loop)
            _ = await fixture.disconnected()
            fixture.client.publish(message("a", "late"), policy: .whileConnected)
            let accepted = Mailbox<Bool>()
            fixture.client.publish(message("a", "late"), .whileConnected) { accepted.put($0) }
            #expect(await accepted.next() == false)
            #expect(fixture.client.statistics.waiting == 0 && fixture.client.statistics.dropped == 1)
            await fixture.close()
        }
    }
}
