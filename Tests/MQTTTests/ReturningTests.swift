import EventLoop
import TestSupport
import Testing

@testable import MQTT

/// What becomes of messages that are on their way when their connection ends.
@Suite struct ReturningTests {
    @Test func `a message that the broker will not bear is given up, and the others arrive`() throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 2500"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let observer = try Session(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let session = try Session(broker, on: home.loop) { $0.version = .threeOneOne }
            await session.connected()
            session.client.publish(Message("before", text: "1"), keeping: .each)
            session.client.publish(Message("large", [UInt8](repeating: 0x61, count: 3000)), keeping: .each)
            session.client.publish(Message("after", text: "2"), keeping: .each)
            #expect(
                await session.undeliverable()
                    == "large: the broker hangs up when it gets these 3000 bytes: look at its limits and access rules")
            session.client.publish(Message("end", text: "3"), keeping: .each)
            // What was acknowledged too late may come twice.
            var texts: [String] = []
            while texts.last != "3" {
                let text = await observer.texts(1)[0]
                if text != texts.last { texts.append(text) }
            }
            #expect(texts == ["1", "2", "3"])
            await session.client.close()
            #expect(session.client.statistics.dropped == 1)
            await observer.client.close()
        }
    }

    @Test(arguments: [3, 6])
    func `a broker that hangs up for another reason costs no message`(ends: Int) throws {
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
            let session = try Session(broker.port, on: home.loop) { $0.window = 2 }
            for text in ["1", "2", "3"] { session.client.publish(Message("a", text: text), keeping: .each) }
            for _ in 1..<ends {
                await session.connected()
                broker.hangUp()
                _ = await session.disconnected()
            }
            var texts: [String] = []
            for _ in 1...3 { texts.append(await taken.next() ?? "") }
            #expect(texts == ["1", "2", "3"])
            await session.client.close()
            #expect(session.client.statistics.dropped == 0)
        }
    }

    @Test func `what was on its way is worth no more after an outage than it would be without`() throws {
        try EventLoop.run(time: .manual) { home in
            let published = Mailbox<[UInt8]>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .publish { published.put(body) }
                return packet == .connect ? FakeBroker.accepted : []
            }
            let session = try Session(broker.port, on: home.loop)
            await session.connected()
            let properties = Message.Properties(expiry: .seconds(100))
            session.client.publish(Message("a", [1], properties: properties), keeping: .each)
            // A topic of one letter, the packet's identifier, five bytes of properties: 2 and the seconds.
            #expect(await published.next()?[5...] == [5, 2, 0, 0, 0, 100, 1])
            broker.hangUp()
            _ = await session.disconnected()
            home.loop.advance(by: .seconds(40))
            #expect(await published.next()?[5...] == [5, 2, 0, 0, 0, 60, 1])
            broker.hangUp()
            _ = await session.disconnected()
            home.loop.advance(by: .seconds(60))
            await session.connected()
            #expect(session.client.statistics.expired == 1)
            await session.client.close()
        }
    }

    @Test func `a state that was on its way gives place to a newer one`() throws {
        try EventLoop.run { home in
            let published = Mailbox<UInt8>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .publish { published.put(body.last ?? 0) }
                return packet == .connect ? FakeBroker.accepted : []
            }
            let session = try Session(broker.port, on: home.loop)
            await session.connected()
            session.client.publish(Message("a", [1]), keeping: .latest)
            #expect(await published.next() == 1)
            broker.hangUp()
            _ = await session.disconnected()
            session.client.publish(Message("a", [2]), keeping: .latest)
            #expect(await published.next() == 2)
            #expect(session.client.statistics.superseded == 1)
            broker.hangUp()
            _ = await session.disconnected()
            await session.client.close()
        }
    }
}
