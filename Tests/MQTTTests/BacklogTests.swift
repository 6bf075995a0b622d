import EventLoop
import Testing

@testable import MQTT

@Suite struct BacklogTests {
    @Test func `a client says when its broker falls behind and catches up, and loses nothing`() throws {
        try EventLoop.run { home in
            let (broker, session) = try await sleepingBroker(on: home.loop)
            publish(1...1500, by: session.client)
            await session.fellBehind()
            broker.wakeUp()
            await session.caughtUp()
            #expect(session.client.statistics.waiting < 1000)
            await session.client.close(within: .seconds(60))
            #expect(broker.payloads == (1...1500).map(String.init))
        }
    }

    @Test func `of what waits only the newest goes, if its owner says so`() throws {
        try EventLoop.run { home in
            let (broker, session) = try await sleepingBroker(on: home.loop)
            publish(1...1500, by: session.client)
            await session.fellBehind()
            session.client.skipToNewest()
            await session.caughtUp()
            publish(1501...4000, by: session.client)
            #expect(session.client.statistics.waiting == 1)
            // What happens is kept, each of it, and may be too much again.
            for number in 1...1500 { session.client.publish(Message("e", text: "\(number)"), keeping: .each) }
            await session.fellBehind()
            broker.wakeUp()
            await session.client.close(within: .seconds(60))
            let events = (1...1500).map(String.init)
            #expect(broker.payloads == events.prefix(100) + ["4000"] + events)
            #expect(session.client.statistics.superseded == 3899)
        }
    }

    @Test func `the newest states of many topics are nothing to catch up on`() throws {
        try EventLoop.run { home in
            let (broker, session) = try await sleepingBroker(on: home.loop)
            for number in 1...3000 {
                session.client.publish(Message(try Topic("a/\(number)"), text: "x"), keeping: .latest)
            }
            #expect(session.client.statistics.waiting == 2900)
            #expect(await !session.client.isBehind)
            broker.wakeUp()
            await session.client.close(within: .seconds(60))
            #expect(broker.payloads.count == 3000)
        }
    }

    @Test(arguments: [true, false])
    func `without a connection nothing is behind`(breaks: Bool) throws {
        try EventLoop.run { home in
            let (broker, session) = try await sleepingBroker(on: home.loop)
            publish(1...1500, by: session.client)
            await session.fellBehind()
            if breaks { broker.hangUp() } else { await session.client.close(within: .zero) }
            await session.caughtUp()
            await session.client.close(within: .zero)
        }
    }

    /// A broker that has taken a client in and then fallen asleep.
    private func sleepingBroker(
        on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws -> (SlowBroker, Session) {
        let broker = try SlowBroker(on: loop)
        let session = try Session(broker.port, on: loop)
        await session.connected()
        broker.fallAsleep()
        return (broker, session)
    }

    private func publish(_ numbers: ClosedRange<Int>, by client: Client) {
        for number in numbers { client.publish(Message("a", text: "\(number)"), keeping: .latest) }
    }
}

/// A broker that acknowledges only while it is awake.
private final class SlowBroker {
    private final class Ledger {
        var isAwake = true
        var payloads: [String] = []
        var acknowledgements: [UInt8] = []
    }

    private let ledger = Ledger()
    private let broker: FakeBroker

    init(on loop: EventLoop) throws {
        broker = try FakeBroker(on: loop) { [ledger] packet, body in
            switch packet {
            case .connect: return FakeBroker.accepted
            case .publish:
                // Topic, identifier, properties, payload (MQTT 5, 3.3).
                let identifier = 2 + Int(body[0]) << 8 + Int(body[1])
                let payload = identifier + 3 + Int(body[identifier + 2])
                ledger.payloads.append(String(decoding: body[payload...], as: UTF8.self))
                let acknowledgement = [0x40, 2, body[identifier], body[identifier + 1]]
                if ledger.isAwake { return acknowledgement }
                ledger.acknowledgements += acknowledgement
                return []
            default: return []
            }
        }
    }

    var port: UInt16 { broker.port }
    var payloads: [String] { ledger.payloads }

    func fallAsleep() {
        ledger.isAwake = false
    }

    func wakeUp() {
        ledger.isAwake = true
        broker.send(ledger.acknowledgements)
        ledger.acknowledgements = []
    }

    func hangUp() {
        broker.hangUp()
    }
}
