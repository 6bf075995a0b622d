import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct ClosingTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `close sends the queue and the last message, and the will is not published`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.version = version
                $0.will = Message("state", text: "lost")
            }
            let texts = (0..<300).map(String.init)
            for text in texts {
                fixture.client.publish(Message("event", text: text), policy: .each)
            }
            let undelivered = await fixture.client.close(
                within: .seconds(60), lastMessage: Message("state", text: "offline"))
            #expect(undelivered.isEmpty)
            #expect(await observer.texts(301) == texts + ["offline"])
            observer.client.publish(Message("end", text: "end"), policy: .each)
            #expect(await observer.texts(1) == ["end"], "the broker published the will")
            await observer.close()
        }
    }

    @Test func `close returns the messages that a blocked broker did not acknowledge, and the will is published`()
        throws
    {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "state")
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.window = 2
                $0.will = Message("state", text: "lost")
            }
            await fixture.connected()
            broker.freeze(true)
            fixture.client.publish(Message("state", text: "on"), policy: .latest)
            for number in 1...4 {
                fixture.client.publish(Message("event", text: "\(number)"), policy: .each)
            }
            let undelivered = await fixture.client.close(
                within: .milliseconds(20), lastMessage: Message("state", text: "offline"))
            #expect(undelivered.map(\.message.text) == ["1", "2", "3", "4"])
            broker.freeze(false)
            #expect(await observer.texts(2) == ["on", "lost"])
            await observer.close()
        }
    }

    @Test func `a request that arrives while a client is being closed is answered before the last message`() throws {
        try EventLoop.run { home in
            var published: [String] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: return FakeBroker.accepted
                case .subscribe: return [0x90, 4] + body.prefix(2) + [0, 1]
                case .publish:
                    published.append(String(decoding: body[2..<3], as: UTF8.self))
                    return [0x40, 2] + body[3..<5]
                // The broker sent the request before it received UNSUBSCRIBE.
                case .unsubscribe: return [0x30, 4, 0, 1, UInt8(ascii: "q"), 0] + [0xb0, 4] + body.prefix(2) + [0, 0]
                default: return []
                }
            }
            let responder = Responder()
            let subscribed = Mailbox<Void>()
            var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "test")
            settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
            let client = try Client(settings, on: home.loop) { event in
                if case .received = event { responder.client?.publish(Message("a", text: "1"), policy: .each) }
                if case .subscribed = event { subscribed.put(()) }
            }
            responder.client = client
            client.subscribe(to: "q")
            client.start()
            _ = await subscribed.next()
            let undelivered = await client.close(within: .seconds(60), lastMessage: Message("z", text: "offline"))
            responder.client = nil
            #expect(undelivered.isEmpty)
            #expect(published == ["a", "z"])
        }
    }

    /// Holds the client for its own handler; used on the loop only.
    private final class Responder: @unchecked Sendable {
        var client: Client?
    }

    @Test func `close without a connection does not wait`() throws {
        let broker = try Broker()
        broker.kill()
        try EventLoop.run(time: .manual) { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            fixture.client.publish(Message("event", text: "1"), policy: .each)
            _ = await fixture.disconnected()
            let undelivered = await fixture.client.close(within: .seconds(3600))
            #expect(undelivered.map(\.message.text) == ["1"])
        }
    }

    @Test func `close returns the queue of a client that was never started`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop, start: false)
            fixture.client.publish(Message("event", text: "1"), policy: .each)
            #expect(await fixture.client.close().map(\.message.text) == ["1"])
            fixture.client.start()
            fixture.client.publish(Message("event", text: "2"), policy: .each)
            #expect(fixture.client.statistics.connections == 0)
            #expect(await fixture.client.close().isEmpty)
        }
    }

    @Test func `a closed client leaves no descriptor open`() async throws {
        // The broker belongs to this process: as a child of the other one it would keep that one's pipes open.
        let broker = try Broker()
        // In a process of its own, because parallel tests open descriptors.
        await #expect(processExitsWith: .success) { [port = broker.port as UInt16, socket = broker.socket as String] in
            try EventLoop.run { home in
                func use(_ configure: (inout Client.Settings) -> Void) async throws {
                    let fixture = try ClientFixture(port, on: home.loop, configure)
                    await fixture.subscribe(to: "#")
                    await fixture.close()
                }
                func descriptorsAfterUse() async throws -> Int {
                    try await use { _ in }
                    try await use { $0.version = .threeOneOne }
                    try await use { $0.nodes = [.unix(path: socket)] }
                    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                }
                let before = try await descriptorsAfterUse()
                var after = before
                // A client that left a descriptor would add three in three rounds. Under load, one difference has been seen.
                for _ in 1...3 { after = try await descriptorsAfterUse() }
                precondition(after - before < 3, "\(after - before) descriptors are left")
            }
        }
        withExtendedLifetime(broker) {}
    }
}
