import EventLoop
import TestSupport
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct BundleTests {
    @Test(arguments: [5, 100])
    func `messages that are published during batching are sent together, in order`(count: Int) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "a")
            try await untilBatching(on: home.loop)
            publish(1...count, by: fixture.client)
            // The messages above the send window make the client send the bundle at once.
            #expect(fixture.client.statistics.waiting == (count == 5 ? 5 : 80))
            #expect(await fixture.texts(count) == (1...count).map(String.init))
            await fixture.close()
            #expect(fixture.client.statistics.sent == count)
        }
    }

    @Test func `a bundle is sent with the next connection if the present connection has ended`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "a")
            try await untilBatching(on: home.loop)
            publish(1...5, by: fixture.client)
            lose(fixture)
            publish(6...7, by: fixture.client)
            #expect(await fixture.texts(7) == (1...7).map(String.init))
            await fixture.close()
        }
    }

    private func publish(_ numbers: ClosedRange<Int>, by client: Client) {
        for number in numbers {
            client.publish(Message("a", text: "\(number)"), policy: .each)
        }
    }

    private func lose(_ fixture: ClientFixture) {
        fixture.abort()
        fixture.client.assumeIsolated { client in
            client.connectionEnded { delay, _ in .disconnected(reason: "test", retryIn: delay) }
        }
    }

    /// Keeps the loop busy until it handles events in batches.
    private func untilBatching(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async throws {
        loop.moderation = .milliseconds(100)
        let gathering = Mailbox<Void>()
        let ends = try #require(PacketSocket.pair())
        let far = PacketSocket(owning: ends.far, on: loop, received: { _ in }, ended: {})
        let near = PacketSocket(
            owning: ends.near, on: loop,
            received: { _ in
                if loop.isBatching { gathering.put(()) } else { far.send([0]) }
            }, ended: {})
        far.send([0])
        _ = await gathering.next()
        near.close()
        far.close()
    }
}
