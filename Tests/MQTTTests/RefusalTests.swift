import EventLoop
import Glibc
import MQTT
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct RefusalTests {
    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a client reports a wrong password, and connects with the correct password`(version: ProtocolVersion) throws {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "secret ü"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let rejected = try ClientFixture(broker, on: home.loop) {
                $0.version = version
                $0.username = "bluefleet"
                $0.password = Array("wrong".utf8)
            }
            #expect(await rejected.refusal().reason == .notAuthorized)
            await rejected.close()
            #expect(rejected.client.statistics.connections == 0)

            let accepted = try ClientFixture(broker, on: home.loop) {
                $0.version = version
                $0.username = "bluefleet"
                $0.password = Array("secret ü".utf8)
            }
            await accepted.connected()
            await accepted.close()
        }
    }

    @Test func `MQTT 5 sends a password without a user name`() throws {
        try EventLoop.run { home in
            var connectPackets: [[UInt8]] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                guard packet == .connect else { return [] }
                connectPackets.append(body)
                return FakeBroker.accepted
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.password = Array("token".utf8) }
            await fixture.connected()
            let connectPacket = try #require(connectPackets.first)
            // The flags after the protocol's name and version: a password, and no user name.
            #expect(connectPacket[7] & 0xc0 == 0x40)
            #expect(connectPacket.suffix(7) == [0, 5] + Array("token".utf8))
            await fixture.close()
        }
    }

    @Test func `a client connects again after a refusal`() throws {
        try EventLoop.run { home in
            var answers: [[UInt8]] = [[0x20, 3, 0, 137, 0], [0x20, 3, 0, 134, 0], FakeBroker.accepted]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            let reasons = await [fixture.refusal().reason, fixture.refusal().reason]
            #expect(reasons == [.unavailable, .badCredentials])
            await fixture.connected()
            await fixture.close()
        }
    }

    @Test func `a client recognises a broker that supports only MQTT 3.1.1`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? [0x20, 2, 0, 1] : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            #expect(await fixture.refusal().reason == .unsupportedVersion)
            await fixture.close()
        }
    }

    @Test func `a client reports an unsupported will with its remedy`() throws {
        try EventLoop.run { home in
            var answers: [[UInt8]] = [[0x20, 3, 0, 155, 0], [0x20, 3, 0, 154, 0]]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            let quality = await fixture.refusal().description
            #expect(quality == "the broker does not support this quality of service for the will: connecting with 0")
            let retaining = await fixture.refusal().description
            #expect(retaining == "the broker does not support retained messages: connecting without a retained will")
            await fixture.close()
        }
    }

    @Test func `after a refusal of its flag RETAIN, the will is not retained`() throws {
        try EventLoop.run { home in
            let flags = Mailbox<Bool>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                guard packet == .connect else { return [] }
                let isRetained = body[7] & 0x20 != 0
                flags.put(isRetained)
                return isRetained ? [0x20, 3, 0, 154, 0] : FakeBroker.accepted
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) {
                $0.will = Message("state", [1], qualityOfService: .atLeastOnce, isRetained: true)
            }
            await fixture.connected()
            #expect(await flags.next() == true)
            #expect(await flags.next() == false)
            await fixture.close()
        }
    }

    @Test func `a client reports the limits that the broker announces`() throws {
        try EventLoop.run { home in
            let limits: [UInt8] = [0x25, 0, 0x24, 1, 0x28, 0, 0x27, 0, 0, 4, 0]
            let restricting: [UInt8] = [0x20, UInt8(3 + limits.count), 0, 0, UInt8(limits.count)] + limits
            var answers = [restricting, FakeBroker.accepted]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            let restricted = await fixture.next { if case .connected(_, let limits) = $0 { limits } else { nil } }
            #expect(!restricted.retainsMessages)
            #expect(!restricted.acceptsWildcards)
            #expect(restricted.bestQuality == .atLeastOnce)
            #expect(restricted.maximumPacketSize == 1024)
            fixture.abort()
            let unrestricted = await fixture.next { if case .connected(_, let limits) = $0 { limits } else { nil } }
            #expect(unrestricted == BrokerLimits())
            await fixture.close()
        }
    }

    @Test func `after a refusal of its quality of service, the will has quality of service 0`() throws {
        try EventLoop.run { home in
            let flags = Mailbox<UInt8>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                guard packet == .connect else { return [] }
                // The flags follow the name of the protocol and its version; bits 3 and 4 are those of the will.
                flags.put(body[7] >> 3 & 3)
                return body[7] >> 3 & 3 == 0 ? FakeBroker.accepted : [0x20, 3, 0, 155, 0]
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) {
                $0.will = Message("state", [1], qualityOfService: .atLeastOnce)
            }
            await fixture.connected()
            #expect(await flags.next() == 1)
            #expect(await flags.next() == 0)
            await fixture.close()
        }
    }

    @Test func `a client connects again if the broker stops to acknowledge messages`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                switch packet {
                case .connect: FakeBroker.accepted
                case .pingRequest: [0xd0, 0]
                default: []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop) {
                $0.keepAlive = .seconds(5)
                $0.acknowledgementTimeout = .milliseconds(1)
            }
            await fixture.connected()
            fixture.client.publish(Message("a", [1], qualityOfService: .atLeastOnce), policy: .each)
            #expect(await fixture.disconnected() == "the broker has not acknowledged a message for 1ms")
            await fixture.connected()
            await fixture.close()
        }
    }

    @Test(arguments: [0, 1])
    func `a message is sent with the best quality of service that the broker supports`(best: UInt8) throws {
        try EventLoop.run { home in
            let published = Mailbox<Int>()
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                // Property 36: the maximum quality of service.
                case .connect: return [0x20, 5, 0, 0, 2, 36, best]
                case .publish:
                    published.put(body.count)
                    return best == 0 ? [] : [0x40, 2] + body[3..<5]
                default: return []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            fixture.client.publish(Message("a", [1], qualityOfService: .exactlyOnce), policy: .each)
            // A topic of one letter, the packet identifier (not with quality of service 0), no properties.
            #expect(await published.next() == (best == 0 ? 5 : 7))
            await fixture.close()
            #expect(fixture.client.statistics.sent == 1)
        }
    }

    @Test func `a client reports a refused subscription`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, body in
                switch packet {
                case .connect: FakeBroker.accepted
                case .subscribe: [0x90, 4] + body.prefix(2) + [0, 135]
                default: []
                }
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            fixture.client.subscribe(to: "secret/#")
            let refused = await fixture.next { event in
                if case .subscriptionRefused(let filter, let reason, _) = event { "\(filter): \(reason)" } else { nil }
            }
            #expect(refused == "secret/#: Not authorized")
            await fixture.close()
        }
    }

    @Test func `a message that the access rules forbid is undeliverable`() throws {
        var options = Broker.Options()
        options.accessRules = "topic readwrite allowed\n"
        let broker = try Broker(options)
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            fixture.client.publish(Message("forbidden", text: "1"), policy: .each)
            fixture.client.publish(Message("allowed", text: "2"), policy: .each)
            let undeliverable = await fixture.undeliverable()
            #expect(undeliverable == "forbidden: Not authorized")
            await fixture.close()
            #expect(fixture.client.statistics.sent == 1)
            #expect(fixture.client.statistics.dropped == 1)
        }
    }

    @Test func `a message that is too large for the broker is undeliverable, and later messages are sent`() throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 1000"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop)
            await fixture.subscribe(to: "#")
            fixture.client.publish(Message("large", [UInt8](repeating: 0, count: 1000)), policy: .each)
            fixture.client.publish(Message("small", text: "1"), policy: .each)
            #expect(await fixture.undeliverable().hasPrefix("large: "))
            #expect(await fixture.texts(1) == ["1"])
            await fixture.close()
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `the fallback is published for a message that is too large for the broker`(
        version: ProtocolVersion
    ) throws {
        var options = Broker.Options()
        options.lines = ["max_packet_size 1000"]
        let broker = try Broker(options)
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let fixture = try ClientFixture(broker, on: home.loop) { $0.version = version }
            await fixture.connected()
            let large = Message("answer", [UInt8](repeating: 0x61, count: 1000))
            fixture.client.publish(large, orElse: Message("answer", text: "too large"))
            #expect(await observer.texts(1) == ["too large"])
            fixture.client.publish(Message("answer", text: "small"), orElse: Message("answer", text: "too large"))
            #expect(await observer.texts(1) == ["small"])
            await fixture.close()
            await observer.close()
        }
    }

    @Test func `the broker does not send a message above the maximum packet size`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) { $0.maximumPacketSize = 1000 }
            await fixture.subscribe(to: "#")
            fixture.client.publish(Message("large", [UInt8](repeating: 0, count: 2000)), policy: .each)
            fixture.client.publish(Message("small", text: "1"), policy: .each)
            #expect(await fixture.texts(1) == ["1"])
            await fixture.close()
        }
    }

    @Test func `a payload above the maximum payload size is cut off`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.version = .threeOneOne
                $0.maximumPayloadSize = 3
            }
            await fixture.subscribe(to: "#")
            for text in ["12", "123", "1234"] { fixture.client.publish(Message("a", text: text), policy: .each) }
            #expect(await fixture.texts(3) == ["12", "123", "123"])
            await fixture.close()
        }
    }

    @Test func `Client rejects settings that can never work`() throws {
        let endpoint = Endpoint.tcp(host: "127.0.0.1", port: 1)
        func error(_ configure: (inout Client.Settings) -> Void) throws -> String? {
            var settings = Client.Settings(endpoint, identifier: "test")
            configure(&settings)
            let loop = try EventLoop()
            return #expect(throws: ClientError.self) { try Client(settings, on: loop) { _ in } }?.description
        }
        for identifier in ["", "a\u{1}", "a\0"] {
            #expect(try error { $0.identifier = identifier } == "'\(identifier)' is not a valid MQTT client identifier")
        }
        #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0, "libmosquitto must not close standard input")
        let withoutUsername = try error {
            $0.version = .threeOneOne
            $0.password = [1]
        }
        #expect(withoutUsername == "MQTT 3.1.1 does not support a password without a user name: set username")
        #expect(try error { $0.keepAlive = .seconds(4) } == "the keep-alive interval must be 5 s to 65,535 s")
        #expect(
            try error { $0.tls = TLS(authorities: "/nowhere") } == "cannot read /nowhere: No such file or directory")
    }
}
