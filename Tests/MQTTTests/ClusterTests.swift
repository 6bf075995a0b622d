import EventLoop
import System
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// A broker with several nodes: the client connects to one of them.
@Suite(.ownThreads) struct ClusterTests {
    private func endpoint(_ broker: Broker) -> Endpoint { .tcp(host: "127.0.0.1", port: broker.port) }

    @Test func `the next node is tried at once, and a delay follows after all of them`() {
        let first = Duration.seconds(1)
        var reconnection = Reconnection(Backoff(first: first, longest: .seconds(8)), nodes: 3)
        var nodes: [Int] = []
        var delays: [Duration] = []
        for _ in 0..<6 {
            nodes.append(reconnection.node)
            delays.append(reconnection.next())
        }
        #expect(nodes == [0, 1, 2, 0, 1, 2])
        #expect(delays.map { $0 == .zero } == [true, true, false, true, true, false])
        #expect((first / 2...first).contains(delays[2]) && (first...first * 2).contains(delays[5]))
    }

    @Test func `after a steady connection all nodes are tried again before a delay`() {
        var reconnection = Reconnection(Backoff(first: .seconds(1), longest: .seconds(8)), nodes: 2)
        #expect(reconnection.next() == .zero)
        reconnection.connectionEnded(after: .seconds(1))
        #expect(reconnection.next() != .zero, "a short connection does not count")
        #expect(reconnection.next() == .zero)
        reconnection.connectionEnded(after: .seconds(60))
        #expect(reconnection.next() == .zero)
        #expect(reconnection.next() != .zero)
    }

    @Test func `each node has an address family of its own that is tried first`() {
        var reconnection = Reconnection(Backoff(first: .seconds(1), longest: .seconds(8)), nodes: 2)
        reconnection.attemptFailed()
        #expect(!reconnection.prefersIPv4)
        _ = reconnection.next()
        #expect(reconnection.prefersIPv4)
        _ = reconnection.next()
        #expect(!reconnection.prefersIPv4)
    }

    @Test func `a client connects to the next node when its node ends, without a delay, and keeps its messages`() throws
    {
        let (one, other) = (try Broker(), try Broker())
        try EventLoop.run { home in
            let fixture = try ClientFixture(one, on: home.loop) {
                $0.nodes = [endpoint(one), endpoint(other)]
                // With a delay, the test would never end.
                $0.backoff = Backoff(first: .seconds(86_400), longest: .seconds(86_400))
            }
            await fixture.subscribe(to: "#")
            #expect(fixture.client.endpoint == endpoint(one))
            one.kill()
            let delay = await fixture.next { if case .disconnected(_, _, let delay) = $0 { delay } else { nil } }
            #expect(delay == .zero)
            fixture.client.publish(Message("event", text: "kept"), policy: .each)
            await fixture.connected()
            #expect(fixture.client.endpoint == endpoint(other))
            #expect(await fixture.message().text == "kept")
            await fixture.close()
        }
    }

    @Test func `a client returns to a node after a delay when all others refuse`() throws {
        let (one, other) = (try Broker(), try Broker())
        other.stop()
        try EventLoop.run { home in
            let fixture = try ClientFixture(one, on: home.loop) { $0.nodes = [endpoint(one), endpoint(other)] }
            await fixture.connected()
            one.stop()
            var delays: [Duration] = []
            while delays.count < 2 {
                delays.append(
                    await fixture.next { if case .disconnected(_, _, let delay) = $0 { delay } else { nil } })
            }
            #expect(delays[0] == .zero && delays[1] > .zero)
            try one.start()
            await fixture.connected()
            #expect(fixture.client.endpoint == endpoint(one))
            await fixture.close()
        }
    }

    @Test func `a node that rejects the login is left for the next one`() throws {
        var options = Broker.Options()
        options.passwords = ["somebody": "else"]
        let (one, other) = (try Broker(options), try Broker())
        try EventLoop.run { home in
            let fixture = try ClientFixture(one, on: home.loop) { $0.nodes = [endpoint(one), endpoint(other)] }
            let delay = await fixture.next { if case .refused(_, let delay) = $0 { delay } else { nil } }
            #expect(delay == .zero)
            await fixture.connected()
            #expect(fixture.client.endpoint == endpoint(other))
            await fixture.close()
        }
    }
}
