import EventLoop
import System
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// Brokers that reject packets for the moment.
@Suite(.ownThreads) struct PostponementTests {
    /// A PUBLISH with quality of service 1 that a broker has received.
    private struct Received: Equatable {
        let topic: String
        let text: String
    }

    /// Starts a broker that answers each PUBLISH with the reason code that `reason` returns.
    private static func broker(
        on loop: EventLoop, _ received: Mailbox<Received>, _ reason: @escaping (Received) -> UInt8
    ) throws -> FakeBroker {
        try FakeBroker(on: loop) { packet, body in
            switch packet {
            case .connect: return FakeBroker.accepted
            case .publish:
                let length = Int(body[1])
                // The identifier and the empty properties follow the topic.
                let message = Received(
                    topic: String(decoding: body[2..<2 + length], as: UTF8.self),
                    text: String(decoding: body[(5 + length)...], as: UTF8.self))
                received.put(message)
                return [0x40, 3] + body[2 + length..<4 + length] + [reason(message)]
            default: return []
            }
        }
    }

    private func state(_ topic: Topic, _ text: String) -> Message { Message(topic, text: text, isRetained: true) }

    @Test(arguments: [0x80, 0x83, 0x91, 0x97] as [UInt8])
    func `a state that is rejected for the moment is published again with its newest value`(code: UInt8) throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            var answers = [code, code, 0]
            let broker = try Self.broker(on: home.loop, received) { _ in answers.removeFirst() }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            fixture.client.publish(state("state", "1"), policy: .latest)
            #expect(await received.next() == Received(topic: "state", text: "1"))
            await home.turn { fixture.client.statistics.rejected == 1 }
            for text in ["2", "3"] { fixture.client.publish(state("state", text), policy: .latest) }
            #expect(fixture.client.statistics.held == 1)
            home.loop.advance(by: .milliseconds(1100))
            #expect(await received.next() == Received(topic: "state", text: "3"))
            await home.turn { fixture.client.statistics.rejected == 2 }
            home.loop.advance(by: .milliseconds(2100))
            #expect(await received.next() == Received(topic: "state", text: "3"))
            await home.turn { fixture.client.statistics.sent == 1 }
            #expect(fixture.client.statistics.held == 0)
            #expect(fixture.client.statistics.dropped == 0)
            await fixture.close()
        }
    }

    @Test func `what a cluster delivers in part is not sent again, and delays no newer message`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            let broker = try Self.broker(on: home.loop, received) { $0.text == "3" ? 0x97 : 0x83 }
            let fixture = try ClientFixture(broker.port, on: home.loop) {
                $0.nodes.append(.tcp(host: "127.0.0.1", port: broker.port))
            }
            await fixture.connected()
            fixture.readsAtOnce()
            for text in ["1", "2"] {
                fixture.client.publish(state("state", text), policy: QueuePolicy(.latest, isKept: true))
                #expect(await received.next() == Received(topic: "state", text: text))
                await home.turn { fixture.client.statistics.sent == Int(text) }
            }
            let reason = await fixture.next { if case .partlyDelivered(let reason) = $0 { reason } else { nil } }
            #expect(reason == "Implementation specific error")
            #expect(fixture.client.statistics.held == 0)
            #expect(fixture.client.statistics.rejected == 0)
            // Other rejections mean that no subscriber gets the message.
            fixture.client.publish(state("state", "3"), policy: .latest)
            #expect(await received.next() == Received(topic: "state", text: "3"))
            await home.turn { fixture.client.statistics.rejected == 1 }
            #expect(fixture.client.statistics.held == 1)
            await fixture.close()
        }
    }

    @Test func `kept messages that wait for a rejected topic are copied once, until the broker accepts them`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            var answers: [UInt8] = [0x97, 0, 0]
            let broker = try Self.broker(on: home.loop, received) { _ in answers.removeFirst() }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            let kept = QueuePolicy(.latest, isKept: true)
            fixture.client.publish(state("state", "1"), policy: kept)
            #expect(await received.next() == Received(topic: "state", text: "1"))
            await home.turn { fixture.client.statistics.rejected == 1 }
            home.loop.advance(by: .milliseconds(100))
            #expect(await fixture.copied().map(\.message.text) == ["1"])
            fixture.client.publish(state("state", "2"), policy: kept)
            home.loop.advance(by: .milliseconds(100))
            #expect(await fixture.copied().map(\.message.text) == ["2"])
            home.loop.advance(by: .milliseconds(900))
            for text in ["1", "2"] { #expect(await received.next() == Received(topic: "state", text: text)) }
            await home.turn { fixture.client.statistics.sent == 2 }
            home.loop.advance(by: .milliseconds(100))
            await fixture.copiesEnded()
            await fixture.close()
        }
    }

    @Test(arguments: [0x87, 0x90, 0x99] as [UInt8])
    func `a message that is rejected for good is not sent again`(code: UInt8) throws {
        try EventLoop.run { home in
            let received = Mailbox<Received>()
            let broker = try Self.broker(on: home.loop, received) { $0.topic == "state" ? code : 0 }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            fixture.client.publish(state("state", "1"), policy: .latest)
            let isTemporary = await fixture.next {
                if case .undeliverable(_, _, let isTemporary) = $0 { isTemporary } else { nil }
            }
            #expect(!isTemporary)
            #expect(fixture.client.statistics.held == 0)
            #expect(fixture.client.statistics.rejected == 0)
            await fixture.close()
        }
    }

    @Test func `a rejected state does not replace a newer one that was accepted`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            let broker = try Self.broker(on: home.loop, received) { $0.text == "1" ? 0x97 : 0 }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            for text in ["1", "2"] { fixture.client.publish(state("state", text), policy: .latest) }
            await home.turn { fixture.client.statistics.sent == 1 }
            #expect(fixture.client.statistics.held == 0)
            #expect(fixture.client.statistics.superseded == 1)
            for text in ["1", "2"] { #expect(await received.next()?.text == text) }
            home.loop.advance(by: .seconds(10))
            fixture.client.publish(Message("event", text: "end"), policy: .each)
            #expect(await received.next()?.text == "end")
            await fixture.close()
        }
    }

    @Test func `rejected events are published again in order, one topic at a time`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            let isOpen = Mutable(false)
            let broker = try Self.broker(on: home.loop, received) { _ in isOpen.value ? 0 : 0x97 }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            for number in 1...3 {
                fixture.client.publish(Message("event", text: "\(number)"), policy: .each)
                await home.turn { fixture.client.statistics.rejected == 1 }
            }
            #expect(await received.next()?.text == "1")
            #expect(fixture.client.statistics.held == 3)
            isOpen.value = true
            home.loop.advance(by: .seconds(1))
            for text in ["1", "2", "3"] { #expect(await received.next()?.text == text) }
            await fixture.close()
        }
    }

    @Test func `an event that is rejected for ten minutes is dropped, and a response is replaced after three times`()
        throws
    {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            let broker = try Self.broker(on: home.loop, received) { $0.topic == "usual" ? 0 : 0x80 }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.keepAlive = .seconds(60_000) }
            await fixture.connected()
            fixture.readsAtOnce()
            fixture.client.publish(Message("answer", text: "x"), orElse: Message("usual", text: "x"))
            for rejections in 1...2 {
                #expect(await received.next()?.topic == "answer")
                await home.turn { fixture.client.statistics.rejected == rejections }
                home.loop.advance(by: .seconds(2))
            }
            #expect(await received.next()?.topic == "answer")
            #expect(await received.next()?.topic == "usual")
            fixture.client.publish(Message("event", text: "x"), policy: .each)
            while fixture.client.statistics.dropped < 2 {
                home.loop.advance(by: .seconds(60))
                for _ in 1...10 { await home.loop.sleep(for: .zero) }
            }
            let dropped = await fixture.undeliverable()
            #expect(dropped == "answer: Unspecified error")
            #expect(await fixture.undeliverable() == "event: Unspecified error")
            await fixture.close()
        }
    }

    @Test func `a topic that is rejected three times in a row is reported until it is accepted`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            var answers = [0x97, 0x97, 0x97, 0] as [UInt8]
            let broker = try Self.broker(on: home.loop, received) { _ in answers.removeFirst() }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.readsAtOnce()
            fixture.client.publish(state("state", "1"), policy: .latest)
            for rejections in 1...3 {
                _ = await received.next()
                await home.turn { fixture.client.statistics.rejected == rejections }
                home.loop.advance(by: .seconds(4))
            }
            let reason = await fixture.next {
                if case .postponed("state", let reason) = $0 { reason } else { nil }
            }
            #expect(reason == "Quota exceeded")
            let granted = await fixture.next { if case .accessGranted(let access) = $0 { access.name } else { nil } }
            #expect(granted == "state")
            await fixture.close()
        }
    }

    @Test func `a subscription that is rejected for the moment is requested again`() throws {
        try EventLoop.run(time: .manual) { home in
            var answers = [0x97, 0x97, 0x01] as [UInt8]
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: FakeBroker.accepted
                case .subscribe: [0x90, 4] + body.prefix(2) + [0, answers.removeFirst()]
                default: []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.client.subscribe(to: "a/+")
            let isTemporary = await fixture.next {
                if case .subscriptionRefused("a/+", _, let isTemporary) = $0 { isTemporary } else { nil }
            }
            #expect(isTemporary)
            home.loop.advance(by: .seconds(5))
            await home.turn { answers.count == 1 }
            await home.turn {
                home.loop.advance(by: .seconds(1))
                return answers.isEmpty
            }
            await fixture.subscribed()
            await fixture.close()
        }
    }

    @Test func `Postponements doubles the delay of each topic, and tries one topic at a time`() {
        var postponements = Postponements()
        let (one, other) = (Access.publish("a"), Access.publish("b"))
        #expect(postponements.add(one, at: instant(0)) == 1)
        #expect(postponements.add(other, at: instant(0)) == 1)
        #expect(postponements.next(at: instant(0.9)) == nil)
        let first = postponements.next(at: instant(1))
        #expect(first != nil)
        #expect(postponements.next(at: instant(1)) == nil)
        #expect(postponements.add(first ?? one, at: instant(1)) == 2)
        #expect(postponements.next(at: instant(1)) == (first == one ? other : one))
        _ = postponements.remove(first == one ? other : one)
        #expect(postponements.nextTime == instant(3))
        for failures in 3...20 { #expect(postponements.add(first ?? one, at: instant(3)) == failures) }
        #expect(postponements.nextTime == instant(63))
        let wasReported = postponements.remove(first ?? one)
        #expect(wasReported)
        #expect(postponements.isEmpty)
    }

    @Test func `Postponements tries the other topics at once after one was accepted, until one is rejected`() throws {
        var postponements = Postponements()
        let topics = ["a", "b", "c"].map { Access.publish($0) }
        for topic in topics { for _ in 1...8 { _ = postponements.add(topic, at: instant(0)) } }
        let first = Access.publish("first")
        _ = postponements.add(first, at: instant(0))
        #expect(postponements.next(at: instant(1)) == first)
        #expect(postponements.nextTime == nil)
        _ = postponements.remove(first, isAccepted: true)
        let second = postponements.next(at: instant(1))
        _ = postponements.remove(try #require(second), isAccepted: true)
        let third = postponements.next(at: instant(1))
        let failures = postponements.add(try #require(third), at: instant(1))
        #expect(failures == 9)
        // The last one is due at its own time.
        #expect(postponements.next(at: instant(1)) == nil)
        #expect(postponements.nextTime == instant(60))
    }

    @Test func `the messages that wait for a rejected topic are bounded`() {
        var deliveries = Deliveries(limits: Client.OutboxLimits(count: 100, size: 1 << 20), window: 10, rate: nil)
        _ = deliveries.connectionBegan(BrokerLimits(), at: instant(0))
        for number in 0..<1000 {
            let message = Message("event", text: "\(number)")
            if number == 0 {
                _ = deliveries.queue(message, .each, at: instant(0))
                if let entry = deliveries.next(at: instant(0)) { _ = deliveries.postpone(entry, at: instant(0)) }
            } else {
                _ = deliveries.queue(message, .each, at: instant(0))
            }
        }
        #expect(deliveries.held.count == 100)
        #expect(deliveries.outbox.isEmpty)
        #expect(deliveries.held.dropped == 900)
    }

    // MARK: The rate

    @Test func `a client publishes no more messages per second than its rate allows`() throws {
        try EventLoop.run(time: .manual) { home in
            let received = Mailbox<Received>()
            let broker = try Self.broker(on: home.loop, received) { _ in 0 }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.rate = 20 }
            await fixture.connected()
            fixture.readsAtOnce()
            for number in 1...30 { fixture.client.publish(Message("a", text: "\(number)"), policy: .each) }
            await home.turn { fixture.client.statistics.sent == 2 }
            #expect(fixture.client.statistics.waiting == 28)
            for step in 1...10 {
                home.loop.advance(by: .milliseconds(50))
                await home.turn { fixture.client.statistics.sent == 2 + step }
            }
            #expect(fixture.client.statistics.waiting == 18)
            while fixture.client.statistics.sent < 30 {
                home.loop.advance(by: .seconds(1))
                await home.loop.sleep(for: .zero)
            }
            await fixture.close()
        }
    }

    @Test func `SendRate allows the messages of a tenth of a second at once, and the rate on average`() {
        var rate = SendRate(perSecond: 50)
        var sent = 0
        for millisecond in 0..<2000 {
            let now = instant(Double(millisecond) / 1000)
            while rate.nextTime <= now {
                rate.noteSent(at: now)
                sent += 1
            }
            if millisecond == 0 { #expect(sent == 5) }
        }
        #expect(sent == 104)
    }

    private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1_000_000_000)) }
}

extension ClientFixture {
    /// Makes the client read each answer of the broker at once: a request without an answer ends the read threshold.
    fileprivate func readsAtOnce() { client.subscribe(to: "unanswered") }
}

extension LoopActor {
    /// Runs the loop until `condition` returns true, without a change of its time.
    fileprivate func turn(_ condition: () -> Bool) async {
        while !condition() { await loop.sleep(for: .zero) }
    }
}

/// A value that a closure of a test changes.
private final class Mutable<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
