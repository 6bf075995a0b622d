import EventLoop
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// Brokers that close the connection in the place of an answer.
@Suite(.ownThreads) struct StrictBrokerTests {
    /// Returns the topic or the filter of a PUBLISH or a SUBSCRIBE of MQTT 5 with quality of service 1.
    private static func name(_ packet: FakeBroker.Packet, _ body: [UInt8]) -> String {
        // The identifier and the empty properties of SUBSCRIBE come first.
        let rest = packet == .subscribe ? body.dropFirst(3) : body[...]
        return String(decoding: rest.dropFirst(2).prefix(Int(rest.dropFirst().first ?? 0)), as: UTF8.self)
    }

    /// Starts a broker that accepts what `isAllowed` returns true for, and puts the names that it accepts into `accepted`.
    private static func broker(
        on loop: EventLoop, _ accepted: Mailbox<String>, _ isAllowed: @escaping (String) -> Bool
    ) throws -> FakeBroker {
        try FakeBroker(on: loop) { packet, body in
            switch packet {
            case .connect: return FakeBroker.accepted
            case .publish:
                let name = name(packet, body)
                guard isAllowed(name) else { return nil }
                accepted.put(name)
                let identifier = 2 + name.utf8.count
                return [0x40, 2] + body[identifier..<identifier + 2]
            case .subscribe:
                guard isAllowed(name(packet, body)) else { return nil }
                return [0x90, 4] + body.prefix(2) + [0, 1]
            default: return []
            }
        }
    }

    private func refused(_ fixture: ClientFixture, isolation: isolated (any Actor)? = #isolation) async -> String {
        await fixture.next { if case .accessRefused(let access, _) = $0 { access.name } else { nil } }
    }

    @Test func `a forbidden topic is named after two closes, and all other values arrive`() throws {
        try EventLoop.run { home in
            let accepted = Mailbox<String>()
            let broker = try Self.broker(on: home.loop, accepted) { $0 != "bad/topic" }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.subscribe(to: "a/+")
            fixture.client.publish(Message("bad/topic", text: "1", isRetained: true), policy: .latest)
            fixture.client.publish(Message("good/topic", text: "2", isRetained: true), policy: .latest)
            #expect(await refused(fixture) == "bad/topic")
            #expect(fixture.client.statistics.connections <= 2)
            #expect(await accepted.next() == "good/topic")
            for number in 1...10 { fixture.client.publish(Message("bad/topic", text: "\(number)"), policy: .latest) }
            for number in 1...10 {
                let topic = Topic(received: "good/\(number)")
                fixture.client.publish(Message(topic, text: ""), policy: .each)
                #expect(await accepted.next() == topic.description)
            }
            #expect(fixture.client.statistics.connections == 3)
            #expect(fixture.client.statistics.held == 1)
            await fixture.close()
        }
    }

    @Test func `a forbidden filter is named, and other subscriptions and values arrive`() throws {
        try EventLoop.run { home in
            let accepted = Mailbox<String>()
            let broker = try Self.broker(on: home.loop, accepted) { $0 != "bad/+" }
            let fixture = try ClientFixture(broker.port, on: home.loop, start: false)
            for filter in ["bad/+", "good/+", "other/+"] as [TopicFilter] { fixture.client.subscribe(to: filter) }
            fixture.client.publish(Message("value", text: "1", isRetained: true), policy: .latest)
            fixture.client.start()
            #expect(await refused(fixture) == "bad/+")
            #expect(fixture.client.statistics.connections <= 3)
            #expect(await accepted.next() == "value")
            await fixture.subscribed()
            await fixture.close()
        }
    }

    @Test func `an event on a forbidden topic is dropped, and its fallback is sent`() throws {
        try EventLoop.run { home in
            let accepted = Mailbox<String>()
            let broker = try Self.broker(on: home.loop, accepted) { !$0.hasPrefix("client/") }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.subscribe(to: "a/+")
            for topic in ["client/1", "client/2", "client/3", "client/4", "client/5"] as [Topic] {
                fixture.client.publish(Message(topic, text: "x"), orElse: Message("usual", text: "x"))
            }
            for _ in 1...5 { #expect(await accepted.next() == "usual") }
            #expect(fixture.client.statistics.connections <= 5)
            #expect(fixture.client.statistics.held == 0)
            await fixture.close()
        }
    }

    @Test func `a topic that is allowed later is published with its newest value`() throws {
        try EventLoop.run(time: .manual) { home in
            let accepted = Mailbox<String>()
            let isAllowed = Mutable(false)
            let broker = try Self.broker(on: home.loop, accepted) { isAllowed.value || $0 != "bad/topic" }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.subscribe(to: "a/+")
            fixture.client.publish(Message("bad/topic", text: "1", isRetained: true), policy: .latest)
            _ = await fixture.disconnected()
            home.loop.advance(by: .seconds(1))
            #expect(await refused(fixture) == "bad/topic")
            home.loop.advance(by: .seconds(1))
            await fixture.connected()
            fixture.client.publish(Message("bad/topic", text: "2", isRetained: true), policy: .latest)
            isAllowed.value = true
            home.loop.advance(by: .seconds(50))
            #expect(fixture.client.statistics.held == 1)
            home.loop.advance(by: .seconds(20))
            let granted = await fixture.next { if case .accessGranted(let access) = $0 { access.name } else { nil } }
            #expect(granted == "bad/topic")
            #expect(await accepted.next() == "bad/topic")
            #expect(fixture.client.statistics.held == 0)
            await fixture.close()
        }
    }

    @Test func `a message with quality of service 0 on a forbidden topic is named`() throws {
        try EventLoop.run { home in
            let accepted = Mailbox<String>()
            let broker = try Self.broker(on: home.loop, accepted) { $0 != "bad/topic" }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.subscribe(to: "a/+")
            var message = Message("bad/topic", text: "1", isRetained: true)
            message.qualityOfService = .atMostOnce
            for _ in 1...3 {
                fixture.client.publish(message, policy: .latest)
                _ = await fixture.disconnected()
            }
            #expect(await refused(fixture) == "bad/topic")
            #expect(fixture.client.statistics.connections == 3)
            await fixture.close()
        }
    }
}

/// A value that a closure of a test changes.
private final class Mutable<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
