import Contract
import EventLoop
import Glibc
import JSON
import MQTT
import Spool
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// A long outage in virtual time: ten values per second, from the broker's end to the last late message.
@Suite(.ownThreads) struct OutageDayTests {
    private static let perSecond = 10
    /// The length of the outage in seconds: `BLUEFLEET_OUTAGE=86400` for a day.
    private static let seconds = getenv("BLUEFLEET_OUTAGE").flatMap { Int(String(cString: $0)) } ?? 300

    /// The late messages that the subscriber received.
    private struct Received {
        var numbers: [Int] = []
        var lastID = 0
        var isInOrder = true

        mutating func add(_ late: OutageRig.Late) {
            isInOrder = isInOrder && late.id > lastID && late.number > numbers.last ?? -1
            lastID = late.id
            numbers.append(late.number)
        }
    }

    /// Lets values wait during the outage, then sends them late; live values are published at the same time.
    private func runOutage(
        spool: String, filling: Int = 0, _ check: @escaping @Sendable (_ received: [Int], _ status: SpoolStatus) -> Void
    ) throws {
        let total = Self.seconds * Self.perSecond
        let filling = String(repeating: " ", count: filling)
        try withOutageRig(spool: spool) { home, rig in
            var received = Received()
            rig.received = { received.add($0) }
            let spooler = Spooler(rig.configuration, LateNumbers(), loop: home.loop)
            let publisher = try rig.publisher(1) { [connected = spooler.handler { $0.connected() }] event in
                if case .connected = event { connected() }
            }
            await spooler.open(publisher)
            for second in stride(from: 0, to: Self.seconds, by: 10) {
                home.loop.advance(by: .seconds(10))
                let first = second * Self.perSecond
                let values = (first..<first + 10 * Self.perSecond).map { rig.kept($0, filling) }
                let written = spooler.status.writtenBytes
                spooler.keep(values, of: publisher)
                while spooler.status.writtenBytes == written { await rig.turn() }
            }
            let stored = spooler.status
            publisher.client.start()
            let expected = total - stored.dropped
            var (live, behind, next) = (0, 0, home.loop.now)
            // The number of late messages at the publication of the present live message.
            var before: Int?
            rig.receivedLive = { message in
                guard "\(message.topic)" == "bluefleet/live", let count = before else { return }
                live += 1
                behind = max(behind, received.numbers.count - count)
                before = nil
            }
            let isComplete = await rig.pass {
                received.numbers.count
            } until: {
                if publisher.client.isConnected, before == nil, home.loop.now >= next {
                    next = home.loop.now + .milliseconds(100)
                    before = received.numbers.count
                    publisher.client.publish(Message("bluefleet/live", Array("1".utf8)), policy: .latest)
                }
                return received.numbers.count >= expected
            }
            #expect(isComplete && received.isInOrder)
            // Up to 20 late messages are on their way to the broker, and as many to the subscriber.
            #expect(live > 0 && behind <= 40, "\(behind) late messages before a live one; \(live) live ones")
            let status = spooler.status
            print(
                "\(spool): \(total) values, \(received.numbers.count) received, \(status.dropped) dropped, "
                    + "\(stored.bytes / max(1, expected)) bytes per stored value, \(status.writtenBytes / total) bytes written "
                    + "per value, \(live) live messages, at most \(behind) late ones before one, "
                    + "\((home.loop.now - rig.start).text), \(Self.memory) resident")
            check(received.numbers, status)
            await spooler.close()
        }
    }

    private static var memory: String {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return "at most \(usage.ru_maxrss) KiB"
    }

    @Test func `all values of a long outage arrive in order, and live ones before them`() throws {
        let total = Self.seconds * Self.perSecond
        try runOutage(spool: "{keep: all}") { numbers, status in
            #expect(numbers == Array(0..<total))
            #expect(status.dropped == 0)
        }
    }

    @Test func `with too small a size, the oldest values are dropped and counted`() throws {
        let total = Self.seconds * Self.perSecond
        // A value takes about 60 bytes without filling.
        let isDay = Self.seconds >= 86_400
        try runOutage(spool: "{keep: all, size: \(isDay ? "40MB" : "1MB")}", filling: isDay ? 0 : 300) {
            numbers, status in
            #expect(numbers == Array(status.dropped..<total))
            #expect(status.dropped > 0)
        }
    }
}
