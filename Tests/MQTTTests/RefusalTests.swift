import EventLoop
import MQTT
import TestSupport
import Testing

@Suite struct RefusalTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a wrong password is told, and a right one taken`(version: ProtocolVersion) throws {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "secret ü"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let stranger = try Session(broker, on: home.loop) {
                $0.version = version
                $0.username = "bluefleet"
                $0.password = Array("wrong".utf8)
            }
            #expect(await stranger.refusal().reason == .notAuthorized)
            await stranger.client.close()
            #expect(stranger.client.statistics.connections == 0)

            let friend = try Session(broker, on: home.loop) {
                $0.version = version
                $0.username = "bluefleet"
                $0.password = Array("secret ü".utf8)
            }
            await friend.connected()
            await friend.client.close()
        }
    }

    @Test func `a password without a user is sent with MQTT 5`() throws {
        try EventLoop.run { home in
            var greetings: [[UInt8]] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                guard packet == .connect else { return [] }
                greetings.append(body)
                return FakeBroker.accepted
            }
            let session = try Session(broker.port, on: home.loop) { $0.password = Array("token".utf8) }
            await session.connected()
            let greeting = try #require(greetings.first)
            // The flags stand behind the protocol's name and version: a password, and no user.
            #expect(greeting[7] & 0xc0 == 0x40)
            #expect(greeting.suffix(7) == [0, 5] + Array("token".utf8))
            await session.client.close()
        }
    }

    @Test func `a refused client tries again`() throws {
        try EventLoop.run { home in
            var answers: [[UInt8]] = [[0x20, 3, 0, 137, 0], [0x20, 3, 0, 134, 0], FakeBroker.accepted]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let session = try Session(broker.port, on: home.loop)
            let reasons = await [session.refusal().reason, session.refusal().reason]
            #expect(reasons == [.unavailable, .badCredentials])
            await session.connected()
            await session.client.close()
        }
    }

    @Test func `a broker of the older version is recognised`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? [0x20, 2, 0, 1] : [] }
            let session = try Session(broker.port, on: home.loop)
            #expect(await session.refusal().reason == .unsupportedVersion)
            await session.client.close()
        }
    }

    @Test func `a will that the broker does not take is told, with what to do`() throws {
        try EventLoop.run { home in
            var answers: [[UInt8]] = [[0x20, 3, 0, 155, 0], [0x20, 3, 0, 154, 0]]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let session = try Session(broker.port, on: home.loop)
            let quality = await session.refusal().description
            #expect(quality == "the broker does not take this quality of service: set qos to 1 or 0")
            let retaining = await session.refusal().description
            #expect(retaining == "the broker keeps no retained messages: use one that does")
            await session.client.close()
        }
    }

    @Test(arguments: [0, 1])
    func `what the broker does not take so well it gets as well as it does`(best: UInt8) throws {
        try EventLoop.run { home in
            let published = Mailbox<Int>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                // The properties: the maximum quality of service.
                case .connect: return [0x20, 5, 0, 0, 2, 36, best]
                case .publish:
                    published.put(body.count)
                    return best == 0 ? [] : [0x40, 2] + body[3..<5]
                default: return []
                }
            }
            let session = try Session(broker.port, on: home.loop)
            await session.connected()
            session.client.publish(Message("a", [1], qualityOfService: .exactlyOnce), keeping: .each)
            // A topic of one letter, the identifier of one that is acknowledged, no properties.
            #expect(await published.next() == (best == 0 ? 5 : 7))
            await session.client.close()
            #expect(session.client.statistics.sent == 1)
        }
    }

    @Test func `a refused subscription is told`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: FakeBroker.accepted
                case .subscribe: [0x90, 4] + body.prefix(2) + [0, 135]
                default: []
                }
            }
            let session = try Session(broker.port, on: home.loop)
            session.client.subscribe(to: "secret/#")
            let refused = await session.next { event in
                if case .subscriptionRefused(let filter, let reason) = event { "\(filter): \(reason)" } else { nil }
            }
            #expect(refused == "secret/#: Not authorized")
            await session.client.close()
        }
    }

    @Test func `what the access rules forbid is undeliverable`() throws {
        var options = Broker.Options()
        options.accessRules = "topic readwrite allowed\n"
        let broker = try Broker(options)
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            session.client.publish(Message("forbidden", text: "1"), keeping: .each)
            session.client.publish(Message("allowed", text: "2"), keeping: .each)
            let undeliverable = await session.undeliverable()
            #expect(undeliverable == "forbidden: Not authorized")
            await session.client.close()
            #expect(session.client.statistics.sent == 1)
            #expect(session.client.statistics.dropped == 1)
        }
    }

    @Test func `what is too large for the broker is undeliverable, and stops nothing`() throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 1000"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop)
            await session.subscribe(to: "#")
            session.client.publish(Message("large", [UInt8](repeating: 0, count: 1000)), keeping: .each)
            session.client.publish(Message("small", text: "1"), keeping: .each)
            #expect(await session.undeliverable().hasPrefix("large: "))
            #expect(await session.texts(1) == ["1"])
            await session.client.close()
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `in the place of what is too large for the broker goes what was given for that`(
        version: ProtocolVersion
    ) throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 1000"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let observer = try Session(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let session = try Session(broker, on: home.loop) { $0.version = version }
            await session.connected()
            let large = Message("answer", [UInt8](repeating: 0x61, count: 1000))
            session.client.publish(large, orElse: Message("answer", text: "too large"))
            #expect(await observer.texts(1) == ["too large"])
            session.client.publish(Message("answer", text: "small"), orElse: Message("answer", text: "too large"))
            #expect(await observer.texts(1) == ["small"])
            await session.client.close()
            await observer.client.close()
        }
    }

    @Test func `what is too large for the client is not sent to it`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) { $0.maximumPacketSize = 1000 }
            await session.subscribe(to: "#")
            session.client.publish(Message("large", [UInt8](repeating: 0, count: 2000)), keeping: .each)
            session.client.publish(Message("small", text: "1"), keeping: .each)
            #expect(await session.texts(1) == ["1"])
            await session.client.close()
        }
    }

    @Test func `of what is longer than anybody here reads the rest is left out`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let session = try Session(broker, on: home.loop) {
                $0.version = .threeOneOne
                $0.longestPayload = 3
            }
            await session.subscribe(to: "#")
            for text in ["12", "123", "1234"] { session.client.publish(Message("a", text: text), keeping: .each) }
            #expect(await session.texts(3) == ["12", "123", "123"])
            await session.client.close()
        }
    }

    @Test func `settings that can never work are refused at once`() throws {
        let endpoint = Endpoint.tcp(host: "127.0.0.1", port: 1)
        func error(_ configure: (inout Client.Settings) -> Void) throws -> String? {
            var settings = Client.Settings(endpoint, identifier: "test")
            configure(&settings)
            let loop = try EventLoop()
            return #expect(throws: ClientError.self) { try Client(settings, on: loop) { _ in } }?.description
        }
        #expect(try error { $0.identifier = "" } == "'' is not an MQTT client identifier")
        let lonely = try error {
            $0.version = .threeOneOne
            $0.password = [1]
        }
        #expect(lonely == "MQTT 3.1.1 has no password without a user name")
        #expect(try error { $0.keepAlive = .seconds(4) } == "the keep-alive interval is 5 s or more")
        #expect(
            try error { $0.tls = TLS(authorities: "/nowhere") } == "cannot read /nowhere: No such file or directory")
    }
}
