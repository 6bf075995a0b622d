import EventLoop
import TestSupport
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct ClientTests {
    private static let everything = Message.Properties(
        expiry: .seconds(60), contentType: "application/json", responseTopic: "answers/7",
        correlationData: [0, 255, 7],
        userProperties: [.init("a", "1"), .init("b", "ü"), .init("a", "2")])

    @Test(arguments: [QualityOfService.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `an MQTT 5 message arrives with all its properties`(quality: QualityOfService) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "a/+", Subscription(qualityOfService: .exactlyOnce))
            let message = Message("a/b", [0, 1, 255], qualityOfService: quality, properties: Self.everything)
            fixture.client.publish(message, policy: .each)
            let received = await fixture.message()
            #expect(received == message)
            await fixture.close()
        }
    }

    @Test(arguments: [QualityOfService.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `an MQTT 3.1.1 message arrives without properties`(quality: QualityOfService) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.version = .threeOneOne }
            await fixture.subscribe(to: "a/+", Subscription(qualityOfService: .exactlyOnce))
            let message = Message("a/b", [0, 1, 255], qualityOfService: quality, properties: Self.everything)
            fixture.client.publish(message, policy: .each)
            let received = await fixture.message()
            #expect(received == Message("a/b", [0, 1, 255], qualityOfService: quality))
            await fixture.close()
        }
    }

    @Test func `the read threshold exceeds an acknowledgement unless the client awaits an acknowledgement`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            let client = fixture.client
            func awaited() -> Int { client.assumeIsolated { $0.readThreshold } }
            #expect(awaited() == 1)
            await fixture.connected()
            #expect(awaited() == 64)
            client.subscribe(to: "commands/+")
            #expect(awaited() == 1, "the answer to a subscription is short")
            await fixture.subscribed()
            #expect(awaited() == 13)
            for number in 1...100 { client.publish(Message("a", text: "\(number)"), policy: .each) }
            #expect(awaited() == 20, "with five acknowledgements, there is room for a quarter of the window")
            await home.until { client.statistics.sent == 100 }
            #expect(awaited() == 13)
            client.publish(Message("a", qualityOfService: .exactlyOnce), policy: .each)
            #expect(awaited() == 1, "the client must respond to PUBREC")
            await client.close()
            #expect(client.statistics.sent == 101)
        }
    }

    @Test func `the last bytes of a message are read within 20 ms, even below the read threshold`() throws {
        try EventLoop.run(time: .manual) { home in
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: FakeBroker.accepted
                case .subscribe: [0x90, 4] + body.prefix(2) + [0, 0]
                default: []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            let client = fixture.client
            await fixture.subscribe(to: "commands/+")
            func isReadingSoon() -> Bool { client.assumeIsolated { $0.remainderRead != nil } }
            home.loop.advance(by: .milliseconds(20))
            while isReadingSoon() { await home.loop.sleep(for: .zero) }
            let packet: [UInt8] = [0x30, 17, 0, 10] + Array("commands/a".utf8) + [0] + Array("open".utf8)
            broker.send(packet.dropLast(2))
            while !isReadingSoon() { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.received == 0)
            broker.send(packet.suffix(2))
            home.loop.advance(by: .milliseconds(20))
            #expect(await fixture.message().text == "open")
            await client.close()
        }
    }

    @Test func `while messages wait for room, a few acknowledgements are read within 1 ms, further ones within 20 ms`()
        throws
    {
        try EventLoop.run(time: .manual) { home in
            var identifiers: [[UInt8]] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: return FakeBroker.accepted
                case .publish:
                    identifiers.append(Array(body[3...4]))
                    return []
                default: return []
                }
            }
            func acknowledge(_ messages: Range<Int>) {
                broker.send(messages.flatMap { [0x40, 2] + identifiers[$0] })
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.window = 20 }
            let client = fixture.client
            await fixture.connected()
            for number in 1...40 { client.publish(Message("a", text: "\(number)"), policy: .each) }
            while identifiers.count < 20 { await home.loop.sleep(for: .zero) }
            acknowledge(0..<3)
            for _ in 0..<10 { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.sent == 0, "three acknowledgements are fewer than a quarter of the window")
            home.loop.advance(by: .milliseconds(1))
            while identifiers.count < 23 { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.sent == 3)
            home.loop.advance(by: .milliseconds(1))
            for _ in 0..<10 { await home.loop.sleep(for: .zero) }
            acknowledge(3..<5)
            home.loop.advance(by: .milliseconds(1))
            for _ in 0..<10 { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.sent == 3, "no message was acknowledged in the first millisecond")
            home.loop.advance(by: .milliseconds(20))
            while identifiers.count < 25 { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.sent == 5)
            await client.close(within: .zero)
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a retained message reaches a later subscriber`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let publisher = try ClientFixture(broker, "publisher", on: home.loop) { $0.version = version }
            publisher.client.publish(Message("state", text: "on", isRetained: true), policy: .latest)
            await publisher.connected()
            await publisher.close()
            let subscriber = try ClientFixture(broker, "subscriber", on: home.loop) { $0.version = version }
            subscriber.client.subscribe(to: "state")
            let message = await subscriber.message()
            #expect(message == Message("state", text: "on", isRetained: true))
            await subscriber.close()
        }
    }

    @Test func `mosquitto_sub receives a published message with its properties`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            var message = Message("state", text: "on", isRetained: true)
            message.properties.contentType = "text/plain"
            message.properties.userProperties = [.init("unit", "°C")]
            fixture.client.publish(message, policy: .latest)
            await fixture.connected()
            await fixture.close()
        }
        let reader = try Command(
            "mosquitto_sub",
            ["-V", "5", "-p", "\(broker.port)", "-t", "state", "-q", "1", "-C", "1", "-F", "%r %q %C %P %p"])
        #expect(reader.waitForOutput() == "1 1 text/plain unit:°C on\n")
    }

    @Test func `a client connects to a broker on a Unix socket`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.nodes = [.unix(path: broker.socket)] }
            await fixture.subscribe(to: "a")
            fixture.client.publish(Message("a", text: "1"), policy: .each)
            #expect(await fixture.texts(1) == ["1"])
            await fixture.close()
        }
    }

    @Test func `a client connects to localhost without a lookup`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.nodes = [.tcp(host: "localhost", port: broker.port)]
            }
            await fixture.connected()
            await fixture.close()
        }
    }

    @Test func `a client looks up any other name on another thread`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            // The resolver knows this name as well, but the client compares with `localhost` exactly.
            let endpoint = Endpoint.tcp(host: "LocalHost", port: broker.port)
            #expect(endpoint.needsLookup)
            let fixture = try ClientFixture(broker, on: home.loop) { $0.nodes = [endpoint] }
            await fixture.connected()
            #expect(home.loop.isCurrent)
            await fixture.close()
        }
    }

    @Test func `a subscription with ignoresOwn does not deliver the client's own messages`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "#", Subscription(ignoresOwn: true))
            await fixture.subscribe(to: "other")
            fixture.client.publish(Message("own", text: "1"), policy: .each)
            fixture.client.publish(Message("other", text: "2"), policy: .each)
            #expect(await fixture.texts(1) == ["2"])
            await fixture.close()
        }
    }

    @Test func `a cancelled subscription delivers no more messages`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "a")
            await fixture.subscribe(to: "b")
            fixture.client.unsubscribe(from: "a")
            fixture.client.publish(Message("a", text: "1"), policy: .each)
            fixture.client.publish(Message("b", text: "2"), policy: .each)
            #expect(await fixture.texts(1) == ["2"])
            await fixture.close()
        }
    }

    @Test func `a handler can publish a response at once`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let requester = try ClientFixture(broker, "requester", on: home.loop)
            let responder = try Responder(broker, on: home.loop)
            _ = await responder.ready.next()
            await requester.subscribe(to: "answers")
            var request = Message("requests", text: "?")
            request.properties = .init(responseTopic: "answers", correlationData: [4, 2])
            requester.client.publish(request, policy: .each)
            let answer = await requester.message()
            #expect(answer.text == "! ?")
            #expect(answer.properties.correlationData == [4, 2])
            await requester.close()
            await responder.close()
        }
    }

    @Test func `3,000 messages arrive in order, once each`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "a")
            let texts = (0..<3000).map(String.init)
            for text in texts {
                fixture.client.publish(Message("a", text: text), policy: .each)
            }
            #expect(fixture.client.statistics.unacknowledged <= 20, "mosquitto limits the window to 20")
            #expect(await fixture.texts(texts.count) == texts)
            await fixture.close()
            #expect(fixture.client.statistics.sent == texts.count)
            #expect(fixture.client.statistics.dropped == 0)
        }
    }
}

/// Responds to each request within the handler.
private final class Responder: @unchecked Sendable {
    let ready = Mailbox<Bool>()
    private var client: Client?

    init(_ broker: Broker, on loop: EventLoop) throws {
        let settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "responder")
        let client = try Client(settings, on: loop) { [unowned self] in handle($0) }
        self.client = client
        client.subscribe(to: "requests")
        client.start()
    }

    func close() async {
        await client?.close()
    }

    private func handle(_ event: Client.Event) {
        switch event {
        case .subscribed: ready.put(true)
        case .received(let request):
            guard let topic = request.properties.responseTopic else { return }
            var answer = Message(topic, Array("! ".utf8) + request.payload)
            answer.properties.correlationData = request.properties.correlationData
            client?.publish(answer, policy: .each)
        default: break
        }
    }
}
