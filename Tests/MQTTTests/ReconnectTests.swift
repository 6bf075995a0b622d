import EventLoop
import Glibc
import System
import TestSupport
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct ReconnectTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a client restores its subscriptions and sends its queue after a restart of the broker`(
        version: ProtocolVersion
    ) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.version = version }
            await fixture.subscribe(to: "#")
            broker.stop()
            _ = await fixture.disconnected()
            for number in 1...50 {
                fixture.client.publish(Message("state", text: "state \(number)"), policy: .latest)
                fixture.client.publish(Message("event", text: "event \(number)"), policy: .each)
            }
            #expect(fixture.client.statistics.waiting == 51)
            try broker.start()
            fixture.client.publish(Message("end", text: "end"), policy: .each)
            let texts = await fixture.texts(52)
            #expect(texts == ["state 50"] + (1...50).map { "event \($0)" } + ["end"])
            let statistics = fixture.client.statistics
            #expect(statistics.connections == 2)
            #expect(statistics.dropped == 0 && statistics.waiting == 0)
            await fixture.close()
            #expect(fixture.client.statistics.received == 52, "no message arrived twice")
        }
    }

    @Test func `the descriptor that the loop watches stays open when libmosquitto closes its socket`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? FakeBroker.accepted : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            try await fixture.client.closeLibrarySocket()
            await fixture.close()
        }
    }

    @Test func `unacknowledged messages are sent again once`() throws {
        let sent = try EventLoop.run { home in
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
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.window = 3 }
            await fixture.connected()
            for number in 1...5 {
                fixture.client.publish(Message("a", text: "\(number)"), policy: .each)
            }
            #expect(fixture.client.statistics.unacknowledged == 3)
            #expect(fixture.client.statistics.waiting == 2)
            await home.until { published.count == 3 }
            broker.closeConnections()
            _ = await fixture.disconnected()
            published = []
            acknowledges = true
            await fixture.connected()
            await home.until { fixture.client.statistics.sent == 5 }
            let texts = published.map { String(decoding: $0.suffix(1), as: UTF8.self) }
            await fixture.close()
            return texts
        }
        #expect(sent == ["1", "2", "3", "4", "5"])
    }

    /// Returns the packet identifier of a PUBLISH whose topic has one letter.
    private static func identifier(of body: [UInt8]) -> [UInt8] {
        Array(body[3..<5])
    }

    @Test func `the end of a connection loses at most one message with quality of service 0`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? FakeBroker.accepted : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            broker.closeConnections()
            for _ in 1...10 {
                fixture.client.publish(Message("a", [1], qualityOfService: .atMostOnce), policy: .each)
            }
            await fixture.connected()
            await home.until { fixture.client.statistics.waiting == 0 }
            let statistics = fixture.client.statistics
            #expect(statistics.dropped <= 1)
            #expect(statistics.sent + statistics.dropped == 10)
            await fixture.close()
        }
    }

    @Test func `a client that resumes its session receives the messages that were published in the meantime`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let other = try ClientFixture(broker, "other", on: home.loop)
            await other.connected()
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.sessionExpiry = .seconds(60)
                $0.backoff = Backoff(first: .milliseconds(200), longest: .milliseconds(200))
            }
            await fixture.subscribe(to: "command")
            fixture.abort()
            _ = await fixture.disconnected()
            other.client.publish(Message("command", text: "go"), policy: .each)
            let resumed = await fixture.next { if case .connected(let resumed, _) = $0 { resumed } else { nil } }
            #expect(resumed)
            #expect(await fixture.texts(1) == ["go"])
            await fixture.close()
            await other.close()
        }
    }

    @Test func `the broker publishes the will of a client whose connection ends`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "state")
            let fixture = try ClientFixture(broker, on: home.loop) { $0.will = Message("state", text: "offline") }
            await fixture.connected()
            fixture.abort()
            #expect(await observer.texts(1) == ["offline"])
            await fixture.close()
            await observer.close()
        }
    }

    @Test func `a client that starts before its broker connects later`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            fixture.client.publish(Message("a", text: "early"), policy: .each)
            fixture.client.subscribe(to: "a")
            #expect(await fixture.disconnected() == "connection refused")
            try broker.start()
            #expect(await fixture.texts(1) == ["early"])
            await fixture.close()
        }
    }

    @Test func `a client reports the reason of the broker's DISCONNECT`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                packet == .connect ? FakeBroker.accepted + [0xe0, 2, 142, 0] : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            for _ in 1...2 {
                await fixture.connected()
                let reason = await fixture.disconnected()
                #expect(reason == "another client has connected with the same identifier, test")
            }
            await fixture.close()
        }
    }

    @Test(
        arguments: [
            (142, .takenOver), (135, .closed(isIdle: true)), (139, .other), (150, .other), (151, .other),
        ] as [(UInt8, EndCause)])
    func `the reason code of the broker's DISCONNECT is the cause of the end`(code: UInt8, cause: EndCause) throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                packet == .connect ? FakeBroker.accepted + [0xe0, 2, code, 0] : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            #expect(await fixture.endCause() == cause)
            await fixture.close()
        }
    }

    @Test func `a connection that the broker closes in the place of an answer is not idle`() throws {
        try EventLoop.run { home in
            let published = Mailbox<Bool>()
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                if packet == .publish { published.put(true) }
                return packet == .connect ? FakeBroker.accepted : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            broker.closeConnections()
            #expect(await fixture.endCause() == .closed(isIdle: true))
            fixture.client.publish(Message("a", text: "1"), policy: .each)
            _ = await published.next()
            broker.closeConnections()
            #expect(await fixture.endCause() == .closed(isIdle: false))
            await fixture.close()
        }
    }

    @Test func `a client ends an attempt that the broker does not answer`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { _, _ in [] }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.connectTimeout = .milliseconds(20) }
            #expect(await fixture.disconnected() == "127.0.0.1:\(broker.port) does not answer")
            #expect(await fixture.disconnected() == "127.0.0.1:\(broker.port) does not answer")
            await fixture.close()
        }
    }

    @Test(
        arguments: [
            [0x20, 3, 0, 0xFF, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x48, 0x54, 0x54, 0x50, 0x2F, 0x31, 0x2E, 0x31], [0, 0],
            [0x20, 0], [0x20, 0x7F, 0, 0, 0x10], [0x30, 2, 0, 9], [0xD0, 0],
        ] as [[UInt8]])
    func `a client reports an invalid answer to CONNECT as a failure`(answer: [UInt8]) throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { _, _ in answer }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.connectTimeout = .milliseconds(200) }
            let reason: String = await fixture.next { event in
                switch event {
                case .disconnected(let reason, _, _): reason
                case .refused(let refusal, _): refusal.description
                default: nil
                }
            }
            #expect(!reason.isEmpty && !reason.contains("success"), "\(reason)")
            await fixture.close()
        }
    }

    @Test func `BackgroundThread runs a call on another thread, and the caller continues on the loop`() throws {
        try EventLoop.run { home in
            let loop = home.loop
            let wasOnLoop = await BackgroundThread.run { loop.isCurrent }
            #expect(!wasOnLoop)
            #expect(loop.isCurrent)
        }
    }
}

extension Client {
    /// Lets libmosquitto close its socket, and checks the descriptor that the loop watches before and after `update()`.
    fileprivate func closeLibrarySocket() throws {
        let connection = try #require(connection)
        let watched = try #require(connection.descriptor)
        connection.disconnect()
        #expect(connection.descriptor == nil, "libmosquitto has closed its socket")
        #expect(fcntl(watched, F_GETFD) >= 0, "no other file can have the number yet")
        update()
        #expect(fcntl(watched, F_GETFD) < 0, "the loop no longer watches it")
    }
}
