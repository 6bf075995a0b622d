import EventLoop
import TestSupport
import Testing

@testable import MQTT

@Suite struct ClientTests {
    private static let everything = Message.Properties(
        expiry: .seconds(60), contentType: "application/json", responseTopic: "answers/7",
        correlationData: [0, 255, 7],
        userProperties: [.init("a", "1"), .init("b", "ü"), .init("a", "2")])

    @Test(arguments: [QualityOfService.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `with MQTT 5 a message arrives with all its properties`(quality: QualityOfService) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "a/+", Subscription(qualityOfService: .exactlyOnce))
            let message = Message("a/b", [0, 1, 255], qualityOfService: quality, properties: Self.everything)
            session.client.publish(message, keeping: .each)
            let received = await session.message()
            #expect(received == message)
            await session.client.close()
        }
    }

    @Test(arguments: [QualityOfService.atMostOnce, .atLeastOnce, .exactlyOnce])
    func `with MQTT 3.1.1 a message arrives without its properties`(quality: QualityOfService) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.version = .threeOneOne }
            await session.subscribe(to: "a/+", Subscription(qualityOfService: .exactlyOnce))
            let message = Message("a/b", [0, 1, 255], qualityOfService: quality, properties: Self.everything)
            session.client.publish(message, keeping: .each)
            let received = await session.message()
            #expect(received == Message("a/b", [0, 1, 255], qualityOfService: quality))
            await session.client.close()
        }
    }

    @Test func `an acknowledgement alone wakes nobody who does not wait for it`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            let client = session.client
            func awaited() -> Int { client.assumeIsolated { $0.awaitedBytes } }
            #expect(awaited() == 1)
            await session.connected()
            #expect(awaited() == 64)
            client.subscribe(to: "commands/+")
            #expect(awaited() == 1, "the answer to a subscription is short")
            await session.subscribed()
            #expect(awaited() == 13)
            for number in 1...100 { client.publish(Message("a", text: "\(number)"), keeping: .each) }
            #expect(awaited() == 1, "more than the window waits")
            await home.until { client.statistics.waiting == 0 }
            #expect(awaited() == 13)
            client.publish(Message("a", qualityOfService: .exactlyOnce), keeping: .each)
            #expect(awaited() == 1, "the broker's answer is to be answered")
            await client.close()
            #expect(client.statistics.sent == 101)
        }
    }

    @Test func `the short end of a message that comes in pieces is read soon`() throws {
        try EventLoop.run(time: .manual) { home in
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: FakeBroker.accepted
                case .subscribe: [0x90, 4] + body.prefix(2) + [0, 0]
                default: []
                }
            }
            let session = try Session(broker.port, on: home.loop)
            let client = session.client
            await session.subscribe(to: "commands/+")
            func isReadingSoon() -> Bool { client.assumeIsolated { $0.restReading != nil } }
            home.loop.advance(by: .milliseconds(20))
            while isReadingSoon() { await home.loop.sleep(for: .zero) }
            let packet: [UInt8] = [0x30, 17, 0, 10] + Array("commands/a".utf8) + [0] + Array("open".utf8)
            broker.send(packet.dropLast(2))
            while !isReadingSoon() { await home.loop.sleep(for: .zero) }
            #expect(client.statistics.received == 0)
            broker.send(packet.suffix(2))
            home.loop.advance(by: .milliseconds(20))
            #expect(await session.message().text == "open")
            await client.close()
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a retained message waits for its subscriber`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let publisher = try Session(broker, "publisher", on: home.loop) { $0.version = version }
            publisher.client.publish(Message("state", text: "on", isRetained: true), keeping: .latest)
            await publisher.connected()
            await publisher.client.close()
            let subscriber = try Session(broker, "subscriber", on: home.loop) { $0.version = version }
            subscriber.client.subscribe(to: "state")
            let message = await subscriber.message()
            #expect(message == Message("state", text: "on", isRetained: true))
            await subscriber.client.close()
        }
    }

    @Test func `another program reads what is published`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            var message = Message("state", text: "on", isRetained: true)
            message.properties.contentType = "text/plain"
            message.properties.userProperties = [.init("unit", "°C")]
            session.client.publish(message, keeping: .latest)
            await session.connected()
            await session.client.close()
        }
        let reader = try Command(
            "mosquitto_sub",
            ["-V", "5", "-p", "\(broker.port)", "-t", "state", "-q", "1", "-C", "1", "-F", "%r %q %C %P %p"])
        #expect(reader.waitForOutput() == "1 1 text/plain unit:°C on\n")
    }

    @Test func `a broker on a Unix socket is a broker`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.endpoint = .unix(path: broker.socket) }
            await session.subscribe(to: "a")
            session.client.publish(Message("a", text: "1"), keeping: .each)
            #expect(await session.texts(1) == ["1"])
            await session.client.close()
        }
    }

    @Test func `localhost is found without a name server`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) {
                $0.endpoint = .tcp(host: "localhost", port: broker.port)
            }
            await session.connected()
            await session.client.close()
        }
    }

    @Test func `any other name is looked up beside the loop`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            // A name server would not be asked for this one either, but the client does not know that.
            let endpoint = Endpoint.tcp(host: "LocalHost", port: broker.port)
            #expect(endpoint.needsLookup)
            let session = try Session(broker, on: home.loop) { $0.endpoint = endpoint }
            await session.connected()
            #expect(home.loop.isCurrent)
            await session.client.close()
        }
    }

    @Test func `a client need not hear itself`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "#", Subscription(ignoresOwn: true))
            await session.subscribe(to: "heard")
            session.client.publish(Message("own", text: "1"), keeping: .each)
            session.client.publish(Message("heard", text: "2"), keeping: .each)
            #expect(await session.texts(1) == ["2"])
            await session.client.close()
        }
    }

    @Test func `a subscription that is given up brings nothing more`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "a")
            await session.subscribe(to: "b")
            session.client.unsubscribe(from: "a")
            session.client.publish(Message("a", text: "1"), keeping: .each)
            session.client.publish(Message("b", text: "2"), keeping: .each)
            #expect(await session.texts(1) == ["2"])
            await session.client.close()
        }
    }

    @Test func `a handler may answer at once`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let asker = try Session(broker, "asker", on: home.loop)
            let answerer = try Answerer(broker, on: home.loop)
            _ = await answerer.ready.next()
            await asker.subscribe(to: "answers")
            var question = Message("questions", text: "?")
            question.properties = .init(responseTopic: "answers", correlationData: [4, 2])
            asker.client.publish(question, keeping: .each)
            let answer = await asker.message()
            #expect(answer.text == "! ?")
            #expect(answer.properties.correlationData == [4, 2])
            await asker.client.close()
            await answerer.close()
        }
    }

    @Test func `thousands of messages arrive in order, once each`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "a")
            let texts = (0..<3000).map(String.init)
            for text in texts {
                session.client.publish(Message("a", text: text), keeping: .each)
            }
            #expect(session.client.statistics.unacknowledged <= 20, "mosquitto asks for 20 at a time")
            #expect(await session.texts(texts.count) == texts)
            await session.client.close()
            #expect(session.client.statistics.sent == texts.count)
            #expect(session.client.statistics.dropped == 0)
        }
    }
}

/// Answers each question from within the handler.
private final class Answerer: @unchecked Sendable {
    let ready = Mailbox<Bool>()
    private var client: Client?

    init(_ broker: Broker, on loop: EventLoop) throws {
        let settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: "answerer")
        let client = try Client(settings, on: loop) { [unowned self] in handle($0) }
        self.client = client
        client.subscribe(to: "questions")
        client.start()
    }

    func close() async {
        await client?.close()
    }

    private func handle(_ event: Client.Event) {
        switch event {
        case .subscribed: ready.put(true)
        case .received(let question):
            guard let topic = question.properties.responseTopic else { return }
            var answer = Message(topic, Array("! ".utf8) + question.payload)
            answer.properties.correlationData = question.properties.correlationData
            client?.publish(answer, keeping: .each)
        default: break
        }
    }
}
