import Contract
import EventLoop
import JSON
import System
import TestTraits
import Testing

@testable import Bridge
@testable import Devices

/// The health of the gateway and the history of its devices.
@Suite(.ownThreads) struct HealthTests {
    static let now = Instant(nanoseconds: 0)

    @Test func `connections and their failures are counted, by kind`() {
        var history = DeviceHistory()
        history.note(.connectFailed(reason: "timed out"), from: .connecting, to: .idle, at: Self.now)
        history.note(.connectFailed(reason: "timed out"), from: .connecting, to: .idle, at: Self.now)
        history.note(.discovered(present: []), from: .discovering, to: .ready, at: Self.now)
        history.note(.obtained("a", isNotification: true), from: .ready, to: .ready, at: Self.now)
        history.note(.obtained("a", isNotification: false), from: .ready, to: .ready, at: Self.now)
        history.note(.connectionLost, from: .ready, to: .seeking, at: Self.now)
        history.noteDecodingFailure()
        #expect(
            history.health(lastSeen: Timestamp(milliseconds: 0)).json == [
                "last_seen": "1970-01-01T00:00:00.000Z", "connects": 1,
                "failures": ["connect_failed": 2, "connection_lost": 1], "notifications": 1, "decode_failures": 1,
            ])
    }

    @Test func `a link that was let go is no failure`() {
        var history = DeviceHistory()
        history.note(.connectionLost, from: .ending, to: .ending, at: Self.now)
        #expect(history.failures.isEmpty)
    }

    @Test func `health describes the process, the adapters and each device`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            // The first message may be older than the answer of bluetoothd; the next one follows at once.
            let health = try await fixture.recorder.next("bluefleet/bridge/attic/health") {
                $0["adapters"]?.array?.isEmpty == false
            }
            #expect(try #require(health["memory"]?.int) > 1 << 20)
            #expect(health["notifications_per_second"] != nil)
            #expect(health["superseded"] != nil)
            #expect(try #require(health["waiting_bytes"]?.int) >= 0)
            for member in ["advertisements", "scanning_seconds", "connecting_seconds"] {
                #expect(try #require(health["adapters"]?[0]?[member]?.int) >= 0, "\(member)")
            }
            #expect(health["devices"]?["climate"]?["connects"] != nil)
            #expect(health["broker_connects"]?.int == 1)
            let since = try #require(health["broker"]?["connected_since"]?.string.flatMap { Timestamp($0) })
            #expect(try #require(health["time"]?.string.flatMap { Timestamp($0) }) >= since)
            #expect(health["clock_synchronized"] == SystemClock.isSynchronized.map { .bool($0) } ?? .null)
        }
    }

    @Test func `the use of the adapters is published when it changes, and the health within ten seconds`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            func connections(_ count: Int) async throws {
                try await fixture.recorder.next("bluefleet/bridge/attic/adapters") {
                    $0["adapters"]?.array?.first?["connections"]?.int == count
                }
            }
            try await connections(1)
            try await fixture.request("climate/request/disconnect")
            try await connections(0)
            #expect(fixture.recorder.all("bluefleet/bridge/attic/health").count <= 6)
        }
    }
}
