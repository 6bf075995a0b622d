import EventLoop
import TestSupport
import Testing

@testable import MQTT

@Suite struct ReconnectTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `after a restart of the broker all is as it was`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.version = version }
            await session.subscribe(to: "#")
            broker.stop()
            _ = await session.disconnected()
            for number in 1...50 {
                session.client.publish(Message("state", text: "state \(number)"), keeping: .latest)
                session.client.publish(Message("event", text: "event \(number)"), keeping: .each)
            }
            #expect(session.client.statistics.waiting == 51)
            try broker.start()
            session.client.publish(Message("end", text: "end"), keeping: .each)
            let texts = await session.texts(52)
            #expect(texts == ["state 50"] + (1...50).map { "event \($0)" } + ["end"])
            let statistics = session.client.statistics
            #expect(statistics.connections == 2)
            #expect(statistics.dropped == 0 && statistics.waiting == 0)
            await session.client.close()
            #expect(session.client.statistics.received == 52, "nothing came twice")
        }
    }

    @Test func `what the broker did not acknowledge is sent again, once`() throws {
        let loopEnds = try EventLoop.run { home in
            var published: [[UInt8]] = []
            var acknowledges = false
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: return FakeBroker.accepted
                case .publish:
                    published.append(body)
                    return acknowledges ? [0x40, 2] + Self.identifier(of: body) : []
                default: return []
                }
            }
            let session = try Session(broker.port, on: home.loop) { $0.window = 3 }
            await session.connected()
            for number in 1...5 {
                session.client.publish(Message("a", text: "\(number)"), keeping: .each)
            }
            #expect(session.client.statistics.unacknowledged == 3)
            #expect(session.client.statistics.waiting == 2)
            await home.until { published.count == 3 }
            broker.hangUp()
            _ = await session.disconnected()
            published = []
            acknowledges = true
            await session.connected()
            await home.until { session.client.statistics.sent == 5 }
            let texts = published.map { String(decoding: $0.suffix(1), as: UTF8.self) }
            await session.client.close()
            return texts
        }
        #expect(loopEnds == ["1", "2", "3", "4", "5"])
    }

    /// The packet identifier of a PUBLISH to a topic of one letter.
    private static func identifier(of body: [UInt8]) -> [UInt8] {
        Array(body[3..<5])
    }

    @Test func `a connection that breaks costs a message that nobody acknowledges, not all that wait`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? FakeBroker.accepted : [] }
            let session = try Session(broker.port, on: home.loop)
            await session.connected()
            broker.hangUp()
            for _ in 1...10 {
                session.client.publish(Message("a", [1], qualityOfService: .atMostOnce), keeping: .each)
            }
            await session.connected()
            await home.until { session.client.statistics.waiting == 0 }
            let statistics = session.client.statistics
            #expect(statistics.dropped <= 1)
            #expect(statistics.sent + statistics.dropped == 10)
            await session.client.close()
        }
    }

    @Test func `a client that was away gets what it missed`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let other = try Session(broker, "other", on: home.loop)
            await other.connected()
            let session = try Session(broker, on: home.loop) {
                $0.sessionExpiry = .seconds(60)
                $0.backoff = Backoff(first: .milliseconds(200), longest: .milliseconds(200))
            }
            await session.subscribe(to: "command")
            session.breakOff()
            _ = await session.disconnected()
            other.client.publish(Message("command", text: "go"), keeping: .each)
            let resumed = await session.next { if case .connected(let resumed) = $0 { resumed } else { nil } }
            #expect(resumed)
            #expect(await session.texts(1) == ["go"])
            await session.client.close()
            await other.client.close()
        }
    }

    @Test func `the broker tells of a client that is lost`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try Session(broker, "observer", on: home.loop)
            await observer.subscribe(to: "state")
            let session = try Session(broker, on: home.loop) { $0.will = Message("state", text: "offline") }
            await session.connected()
            session.breakOff()
            #expect(await observer.texts(1) == ["offline"])
            await session.client.close()
            await observer.client.close()
        }
    }

    @Test func `a client starts before its broker`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            session.client.publish(Message("a", text: "early"), keeping: .each)
            session.client.subscribe(to: "a")
            #expect(await session.disconnected() == "connection refused")
            try broker.start()
            #expect(await session.texts(1) == ["early"])
            await session.client.close()
        }
    }

    @Test func `a broker that sends a client away says why`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                packet == .connect ? FakeBroker.accepted + [0xe0, 2, 142, 0] : []
            }
            let session = try Session(broker.port, on: home.loop)
            for _ in 1...2 {
                await session.connected()
                let reason = await session.disconnected()
                #expect(reason == "Session taken over")
            }
            await session.client.close()
        }
    }

    @Test func `a broker that never answers is given up`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { _, _ in [] }
            let session = try Session(broker.port, on: home.loop) { $0.patience = .milliseconds(20) }
            #expect(await session.disconnected() == "127.0.0.1:\(broker.port) does not answer")
            #expect(await session.disconnected() == "127.0.0.1:\(broker.port) does not answer")
            await session.client.close()
        }
    }

    @Test func `a lookup has a thread of its own, and comes back to the loop`() throws {
        try EventLoop.run { home in
            let loop = home.loop
            let wasOnLoop = await TransientThread.run { loop.isCurrent }
            #expect(!wasOnLoop)
            #expect(loop.isCurrent)
        }
    }
}
