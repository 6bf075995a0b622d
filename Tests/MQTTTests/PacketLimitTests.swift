import EventLoop
import TestSupport
import TestTraits
import Testing

@testable import MQTT

@Suite(.ownThreads) struct PacketLimitTests {
    /// Returns the remaining length of a packet as a fixed header contains it.
    private static func length(_ count: Int) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), count)
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    private static func passed(_ stream: [UInt8], in size: Int) throws -> [UInt8] {
        var filter = PacketFilter()
        var output: [UInt8] = []
        var rest = stream[...]
        while !rest.isEmpty {
            try filter.pass(rest.prefix(size), to: &output)
            rest = rest.dropFirst(size)
        }
        return output
    }

    @Test(arguments: [1, 3, 1000, 1 << 22])
    func `PacketFilter cuts a long PUBLISH, and passes other packets unchanged`(chunk: Int) throws {
        let acknowledgement: [UInt8] = [0x40, 2, 0, 1]
        let payload = [UInt8](repeating: 7, count: FixedHeader.longestMessage + 5)
        let stream = acknowledgement + [0x32] + Self.length(payload.count) + payload + acknowledgement
        let cut = [0x32] + Self.length(FixedHeader.longestMessage) + payload.dropLast(5)
        #expect(try Self.passed(stream, in: chunk) == acknowledgement + cut + acknowledgement)
    }

    @Test(arguments: [0x20, 0x90, 0x40, 0xf0] as [UInt8])
    func `PacketFilter rejects every other long packet`(type: UInt8) throws {
        #expect(throws: PacketError.self) { try Self.passed([type, 0xff, 0xff, 0xff, 0x7f], in: 1) }
        #expect(throws: PacketError.self) { try Self.passed([type, 0xff, 0xff, 0xff, 0xff, 1], in: 10) }
        let allowed = [type] + Self.length(FixedHeader.longestPacket)
        #expect(try Self.passed(allowed, in: 10) == allowed)
    }

    @Test func `Acknowledgements contains complete PUBACK packets, and ends at another packet`() {
        let first: [UInt8] = [0x40, 2, 1, 2]
        let second: [UInt8] = [0x40, 4, 0, 3, 0x10, 0]
        func identifiers(_ bytes: [UInt8]) -> [Int32] { Array(Acknowledgements(in: bytes[...])) }
        #expect(identifiers(first + second) == [0x102, 3])
        #expect(identifiers(first + second + [0x50, 2, 0, 3]) == [0x102, 3])
        #expect(identifiers(first + second.dropLast()) == [0x102])
        #expect(identifiers(first + [0x90, 0xff, 0xff, 0xff, 0x7f]) == [0x102])
        #expect(identifiers([0x40, 0xff, 0xff, 0xff, 0x7f]) == [])
        #expect(identifiers([0x40, 1, 0, 0]) == [])
        #expect(identifiers([]) == [])
    }

    @Test func `the error of a long packet names the packet`() {
        let error = #expect(throws: PacketError.self) { try Self.passed([0x90, 0xff, 0xff, 0xff, 0x7f], in: 5) }
        let text = "the broker has sent a SUBACK of 268435455 bytes: at most 65536 bytes are allowed"
        #expect(error?.description == text)
    }

    @Test func `RecordFilter drops a long PUBLISH and acknowledges it`() throws {
        var filter = RecordFilter()
        var acknowledgements: [UInt8] = []
        func drop(_ bytes: [UInt8]) throws -> Int {
            try filter.countToDrop(of: bytes[...]) { acknowledgements += $0 }
        }
        #expect(try drop([0x40, 2, 0, 1]) == 0)
        let length = FixedHeader.longestMessage + 1
        let header = [0x32] + Self.length(length)
        #expect(try drop(header + [0, 1, 0x61, 0x12]) == header.count)
        #expect(try drop([0, 1, 0x61, 0x12]) == 4)
        #expect(acknowledgements.isEmpty)
        #expect(try drop([UInt8](repeating: 0x34, count: length - 4)) == length - 4)
        #expect(acknowledgements == [0x40, 2, 0x12, 0x34])
        #expect(filter.takeCutLength() == length)
        #expect(try drop([0x40, 2, 0, 1]) == 0)
        // A header that libmosquitto has read in part, or that follows another packet, cannot be removed.
        #expect(throws: PacketError.self) { try drop([0x40, 2, 0, 1] + header) }
    }

    /// PUBLISH packets with the topic `t`: with DUP, without, with quality of service 0, and with 2.
    private static let publications: [UInt8] =
        [0x3a, 7, 0, 1, 0x74, 0, 1, 0, 0x31] + [0x32, 7, 0, 1, 0x74, 0, 2, 0, 0x32] + [0x30, 5, 0, 1, 0x74, 0, 0x33]
        + [0x3c, 7, 0, 1, 0x74, 0, 3, 0, 0x34] + [0x3a, 7, 0, 1, 0x74, 0, 4, 0, 0x35]

    @Test(arguments: [1, 5, 1000])
    func `the filters keep the flags DUP of messages with quality of service 0 and 1`(chunk: Int) throws {
        var (packets, records, output) = (PacketFilter(), RecordFilter(), [UInt8]())
        var rest = Self.publications[...]
        while !rest.isEmpty {
            try packets.pass(rest.prefix(chunk), to: &output)
            #expect(try records.countToDrop(of: rest.prefix(chunk)) { _ in } == 0)
            rest = rest.dropFirst(chunk)
        }
        let expected = [true, false, false, true, false]
        #expect(expected.map { _ in packets.takeDuplicateFlag() } == expected)
        #expect(expected.map { _ in records.takeDuplicateFlag() } == expected)
    }

    @Test func `a message carries the flag DUP`() throws {
        try EventLoop.run { home in
            let broker = try FakeBroker(on: home.loop) { packet, _ in
                packet == .connect ? FakeBroker.accepted + Self.publications : []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            // The message with quality of service 2 is not complete.
            for (text, isDuplicate) in [("1", true), ("2", false), ("3", false), ("5", true)] {
                let message = await fixture.message()
                #expect(message.text == text)
                #expect(message.isDuplicate == isDuplicate)
            }
            await fixture.close()
        }
    }

    @Test(arguments: [[0x20], [0x20, 3, 0, 0, 0, 0x90]] as [[UInt8]])
    func `a packet with an impossible length ends the connection`(beginning: [UInt8]) throws {
        try EventLoop.run { home in
            var answers = [beginning + [0xff, 0xff, 0xff, 0x7f], FakeBroker.accepted]
            let broker = try FakeBroker(on: home.loop) { packet, _ in packet == .connect ? answers.removeFirst() : [] }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            #expect(await fixture.disconnected().contains("268435455 bytes"))
            await fixture.connected()
            await fixture.close()
        }
    }

    /// The acknowledgements belong to some of five messages in flight: libmosquitto would read further packets with them.
    @Test(arguments: [1, 2, 5], [false, true])
    func `a packet with an impossible length behind acknowledgements ends the connection`(
        count: Int, isForeignFirst: Bool
    ) throws {
        try EventLoop.run { home in
            var identifiers: [[UInt8]] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .connect { return FakeBroker.accepted }
                guard packet == .publish else { return [] }
                identifiers.append(Array(body[3...4]))
                guard identifiers.count == 5 else { return [] }
                if isForeignFirst { identifiers.insert([0xff, 0xff], at: 0) }
                let acknowledgements = identifiers.prefix(count).flatMap { [0x40, 2] as [UInt8] + $0 }
                return acknowledgements + [0x90, 0xff, 0xff, 0xff, 0x7f]
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            for _ in 0..<5 { fixture.client.publish(Message("a", text: "1"), policy: .each) }
            #expect(await fixture.disconnected().contains("268435455 bytes"))
        }
    }

    @Test(arguments: 1...4)
    func `libmosquitto reads no more than the expected acknowledgements from the socket`(count: Int) throws {
        try EventLoop.run { home in
            var identifiers: [[UInt8]] = []
            let broker = try FakeBroker(on: home.loop) { packet, body in
                if packet == .connect { return FakeBroker.accepted }
                if packet == .publish { identifiers.append(Array(body[3...4])) }
                return []
            }
            let fixture = try ClientFixture(broker.port, on: home.loop)
            await fixture.connected()
            for _ in 0..<5 { fixture.client.publish(Message("a", text: "1"), policy: .each) }
            await home.until { identifiers.count == 5 }
            let acknowledgements = identifiers.flatMap { [0x40, 2] as [UInt8] + $0 }
            broker.send(acknowledgements)
            #expect(try fixture.read(count, of: acknowledgements.count) == acknowledgements.count - 4 * count)
            await fixture.close()
        }
    }

    @Test(arguments: [ProtocolVersion.five, .threeOneOne])
    func `a long retained message is cut, and later messages arrive`(version: ProtocolVersion) throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop) { $0.outbox.size = 64 << 20 }
            await observer.connected()
            let payload = [UInt8](repeating: 0x61, count: 20 << 20)
            observer.client.publish(Message("a/long", payload, isRetained: true), policy: .each)
            await home.until { observer.client.statistics.sent == 1 }
            let fixture = try ClientFixture(broker, on: home.loop) {
                $0.version = version
                $0.maximumPacketSize = 64 << 20
                $0.maximumPayloadSize = 10
            }
            fixture.client.subscribe(to: "a/#")
            let length = await fixture.next { if case .cut(let length) = $0 { length } else { nil } }
            #expect(length > payload.count)
            #expect(await fixture.message().payload.count == 10)
            observer.client.publish(Message("a/short", text: "1"), policy: .each)
            #expect(await fixture.texts(1) == ["1"])
            await fixture.close()
            await observer.close()
        }
    }
}
