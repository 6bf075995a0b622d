import EventLoop
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// Messages that are in flight when their connection ends.
@Suite(.ownThreads) struct ReturningTests {
    @Test func `a message that makes the broker close the connection is dropped, and other messages arrive`() throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 2500"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let fixture = try ClientFixture(broker, on: home.loop) { $0.version = .threeOneOne }
            await fixture.connected()
            fixture.client.publish(Message("before", text: "1"), policy: .each)
            fixture.client.publish(Message("large", [UInt8](repeating: 0x61, count: 3000)), policy: .each)
            fixture.client.publish(Message("after", text: "2"), policy: .each)
            #expect(
                await fixture.undeliverable()
                    == "large: the broker closes the connection when it receives these 3000 bytes: "
                    + "check its size limit and its access rules")
            fixture.client.publish(Message("end", text: "3"), policy: .each)
            // A message whose acknowledgement was lost arrives twice.
            var texts: [String] = []
            while texts.last != "3" {
                let text = await observer.texts(1)[0]
                if text != texts.last { texts.append(text) }
            }
            #expect(texts == ["1", "2", "3"])
            await fixture.close()
            #expect(fixture.client.statistics.dropped == 1)
            await observer.close()
        }
    }

    @Test(arguments: [3, 6])
    func `no message is dropped if the broker closes connections for another reason`(ends: Int) throws {
        try EventLoop.run { home in
            var connections = 0
            let taken = Mailbox<String>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect:
                    connections += 1
                    return FakeBroker.accepted
                case .publish where connections >= ends:
                    taken.put(String(decoding: body.suffix(1), as: UTF8.self))
                    return [0x40, 2] + body[3..<5]
                default: return []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.window = 2 }
            for text in ["1", "2", "3"] { fixture.client.publish(Message("a", text: text), policy: .each) }
            for _ in 1..<ends {
                await fixture.connected()
                broker.closeConnections()
                _ = await fixture.disconnected()
            }
            var texts: [String] = []
            for _ in 1...3 { texts.append(await taken.next() ?? "") }
            #expect(texts == ["1", "2", "3"])
            await fixture.close()
            #expect(fixture.client.statistics.dropped == 0)
        }
    }

    @Test func `the expiry of a message in flight includes the time of an outage`() throws {
        try EventLoop.run(time: .manual) { home in
            let published = Mailbox<[UInt8]>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .publish { published.put(body) }
                return packet == .connect ? FakeBroker.accepted : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            let properties = Message.Properties(expiry: .seconds(100))
            fixture.client.publish(Message("a", [1], properties: properties), policy: .each)
            // A topic of one letter, the packet identifier, five bytes of properties: 2 (expiry) and the seconds.
            #expect(await published.next()?[5...] == [5, 2, 0, 0, 0, 100, 1])
            broker.closeConnections()
            _ = await fixture.disconnected()
            home.loop.advance(by: .seconds(40))
            #expect(await published.next()?[5...] == [5, 2, 0, 0, 0, 60, 1])
            broker.closeConnections()
            _ = await fixture.disconnected()
            home.loop.advance(by: .seconds(60))
            await fixture.connected()
            #expect(fixture.client.statistics.expired == 1)
            await fixture.close()
        }
    }

    @Test func `a newer value replaces a state that was in flight when the connection ended`() throws {
        try EventLoop.run { home in
            let published = Mailbox<UInt8>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .publish { published.put(body.last ?? 0) }
                return packet == .connect ? FakeBroker.accepted : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.client.publish(Message("a", [1]), policy: .latest)
            #expect(await published.next() == 1)
            broker.closeConnections()
            _ = await fixture.disconnected()
            fixture.client.publish(Message("a", [2]), policy: .latest)
            #expect(await published.next() == 2)
            #expect(fixture.client.statistics.superseded == 1)
            broker.closeConnections()
            _ = await fixture.disconnected()
            await fixture.close()
        }
    }
}
