import EventLoop
import TestSupport
import Testing

@testable import MQTT

@Suite struct BundleTests {
    @Test(arguments: [5, 100])
    func `what is published while things gather goes together, in order`(count: Int) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "a")
            try await untilThingsGather(on: home.loop)
            publish(1...count, by: session.client)
            // Of more than may be on their way the first ones go at once.
            #expect(session.client.statistics.waiting == (count == 5 ? 5 : 80))
            #expect(await session.texts(count) == (1...count).map(String.init))
            await session.client.close()
            #expect(session.client.statistics.sent == count)
        }
    }

    @Test func `what was to go together outlives its connection`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "a")
            try await untilThingsGather(on: home.loop)
            publish(1...5, by: session.client)
            lose(session)
            publish(6...7, by: session.client)
            #expect(await session.texts(7) == (1...7).map(String.init))
            await session.client.close()
        }
    }

    private func publish(_ numbers: ClosedRange<Int>, by client: Client) {
        for number in numbers {
            client.publish(Message("a", text: "\(number)"), keeping: .each)
        }
    }

    private func lose(_ session: Session) {
        session.breakOff()
        session.client.assumeIsolated { $0.lost { .disconnected(reason: "test", retryIn: $0) } }
    }

    /// Keeps the loop busy until it lets things gather.
    private func untilThingsGather(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async throws {
        loop.moderation = .milliseconds(100)
        let gathering = Mailbox<Void>()
        let ends = try #require(PacketSocket.pair())
        let far = PacketSocket(owning: ends.far, on: loop, received: { _ in }, ended: {})
        let near = PacketSocket(
            owning: ends.near, on: loop,
            received: { _ in
                if loop.isGathering { gathering.put(()) } else { far.send([0]) }
            }, ended: {})
        far.send([0])
        _ = await gathering.next()
        near.close()
        far.close()
    }
}
