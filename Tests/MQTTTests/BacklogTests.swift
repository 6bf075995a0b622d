import EventLoop
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct BacklogTests {
    @Test func `a client reports a broker that falls behind and catches up, and loses no message`() throws {
        try EventLoop.run { home in
            let (broker, fixture) = try await blockedBroker(on: home.loop)
            publish(1...1500, by: fixture.client)
            await fixture.fellBehind()
            broker.acknowledgeAll()
            await fixture.caughtUp()
            #expect(fixture.client.statistics.waiting < 1000)
            await fixture.client.close(within: .seconds(60))
            #expect(broker.payloads == (1...1500).map(String.init))
        }
    }

    @Test func `skipToNewest keeps only the newest queued message of each state`() throws {
        try EventLoop.run { home in
            let (broker, fixture) = try await blockedBroker(on: home.loop)
            publish(1...1500, by: fixture.client)
            await fixture.fellBehind()
            fixture.client.skipToNewest()
            await fixture.caughtUp()
            publish(1501...4000, by: fixture.client)
            #expect(fixture.client.statistics.waiting == 1)
            // Events are all kept, and may be a backlog again.
            for number in 1...1500 { fixture.client.publish(Message("e", text: "\(number)"), policy: .each) }
            await fixture.fellBehind()
            broker.acknowledgeAll()
            await fixture.client.close(within: .seconds(60))
            let events = (1...1500).map(String.init)
            #expect(broker.payloads == events.prefix(100) + ["4000"] + events)
            #expect(fixture.client.statistics.superseded == 3899)
        }
    }

    @Test func `the newest states of 3,000 topics do not count as backlog`() throws {
        try EventLoop.run { home in
            let (broker, fixture) = try await blockedBroker(on: home.loop)
            for number in 1...3000 {
                fixture.client.publish(Message(try Topic("a/\(number)"), text: "x"), policy: .latest)
            }
            #expect(fixture.client.statistics.waiting == 2900)
            #expect(await fixture.client.backlog < BacklogMonitor.limit)
            broker.acknowledgeAll()
            await fixture.client.close(within: .seconds(60))
            #expect(broker.payloads.count == 3000)
        }
    }

    @Test(arguments: [true, false])
    func `the backlog ends with the connection`(breaks: Bool) throws {
        try EventLoop.run { home in
            let (broker, fixture) = try await blockedBroker(on: home.loop)
            publish(1...1500, by: fixture.client)
            await fixture.fellBehind()
            if breaks { broker.closeConnections() } else { await fixture.client.close(within: .zero) }
            await fixture.caughtUp()
            await fixture.client.close(within: .zero)
        }
    }

    /// Returns a broker that has accepted a client and no longer acknowledges, and the client.
    private func blockedBroker(
        on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws -> (SlowBroker, ClientFixture) {
        let broker = try SlowBroker(on: loop)
        let fixture = try ClientFixture(broker.port, on: loop)
        await fixture.connected()
        broker.stopAcknowledging()
        return (broker, fixture)
    }

    private func publish(_ numbers: ClosedRange<Int>, by client: Client) {
        for number in numbers { client.publish(Message("a", text: "\(number)"), policy: .latest) }
    }
}

extension Client {
    /// The number of queued messages, without the newest of each state.
    fileprivate var backlog: Int { deliveries.outbox.backlog }
}
