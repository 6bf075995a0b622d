import EventLoop
import Foundation
import TestSupport
import Testing

@testable import MQTT

@Suite struct ClosingTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `closing sends what waits, then the farewell, and not the will`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try Session(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let session = try Session(broker, on: home.loop) {
                $0.version = version
                $0.will = Message("state", text: "lost")
            }
            let texts = (0..<300).map(String.init)
            for text in texts {
                session.client.publish(Message("event", text: text), keeping: .each)
            }
            let undelivered = await session.client.close(within: .seconds(60), farewell: Message("state", text: "bye"))
            #expect(undelivered.isEmpty)
            #expect(await observer.texts(301) == texts + ["bye"])
            observer.client.publish(Message("end", text: "end"), keeping: .each)
            #expect(await observer.texts(1) == ["end"], "the broker has published the will")
            await observer.client.close()
        }
    }

    @Test func `what a hanging broker does not take comes back, and the will stands`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try Session(broker, "observer", on: home.loop)
            await observer.subscribe(to: "state")
            let session = try Session(broker, on: home.loop) {
                $0.window = 2
                $0.will = Message("state", text: "lost")
            }
            await session.connected()
            broker.freeze(true)
            session.client.publish(Message("state", text: "on"), keeping: .latest)
            for number in 1...4 {
                session.client.publish(Message("event", text: "\(number)"), keeping: .each)
            }
            let undelivered = await session.client.close(
                within: .milliseconds(20), farewell: Message("state", text: "bye"))
            #expect(undelivered.map(\.message.text) == ["1", "2", "3", "4"])
            broker.freeze(false)
            #expect(await observer.texts(2) == ["on", "lost"])
            await observer.client.close()
        }
    }

    @Test func `what comes while a client is being closed is answered, before the farewell`() throws {
        try EventLoop.run { home in
            var published: [String] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: return FakeBroker.accepted
                case .subscribe: return [0x90, 4] + body.prefix(2) + [0, 1]
                case .publish:
                    published.append(String(decoding: body[2..<3], as: UTF8.self))
                    return [0x40, 2] + body[3..<5]
                // The request had been on its way.
                case .unsubscribe: return [0x30, 4, 0, 1, UInt8(ascii: "q"), 0] + [0xb0, 4] + body.prefix(2) + [0, 0]
                default: return []
                }
            }
            let answerer = Answerer()
            let subscribed = Mailbox<Void>()
            var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "test")
            settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
            let client = try Client(settings, on: home.loop) { event in
                if case .received = event { answerer.client?.publish(Message("a", text: "1"), keeping: .each) }
                if case .subscribed = event { subscribed.put(()) }
            }
            answerer.client = client
            client.subscribe(to: "q")
            client.start()
            _ = await subscribed.next()
            let undelivered = await client.close(within: .seconds(60), farewell: Message("z", text: "bye"))
            answerer.client = nil
            #expect(undelivered.isEmpty)
            #expect(published == ["a", "z"])
        }
    }

    /// Who answers what a client receives; on the loop only.
    private final class Answerer: @unchecked Sendable {
        var client: Client?
    }

    @Test func `without a broker closing takes no time`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run(time: .manual) { home in
            let session = try Session(broker, on: home.loop)
            session.client.publish(Message("event", text: "1"), keeping: .each)
            _ = await session.disconnected()
            let undelivered = await session.client.close(within: .seconds(3600))
            #expect(undelivered.map(\.message.text) == ["1"])
        }
    }

    @Test func `a client that never started is closed too`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop, start: false)
            session.client.publish(Message("event", text: "1"), keeping: .each)
            #expect(await session.client.close().map(\.message.text) == ["1"])
            session.client.start()
            session.client.publish(Message("event", text: "2"), keeping: .each)
            #expect(session.client.statistics.connections == 0)
            #expect(await session.client.close().isEmpty)
        }
    }

    @Test func `nothing stays open`() async {
        // In a process of its own: there nobody else opens anything meanwhile.
        await #expect(processExitsWith: .success) {
            let broker = try Broker()
            try EventLoop.run { home in
                func use(_ configure: (inout Client.Settings) -> Void) async throws {
                    let session = try Session(broker, on: home.loop, configure)
                    await session.subscribe(to: "#")
                    await session.client.close()
                }
                try await use { _ in }
                let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                try await use { _ in }
                try await use { $0.version = .threeOneOne }
                try await use { $0.endpoint = .unix(path: broker.socket) }
                let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                precondition(before == after, "\(after - before) descriptors are left")
            }
        }
    }
}
