import EventLoop
import JSON
import System
import Testing

@testable import Bridge

/// The health of the gateway and the history of its devices.
@Suite struct HealthTests {
    static let now = Instant(nanoseconds: 0)

    @Test func `links and their failures are counted, with their causes`() {
        var history = DeviceHistory()
        history.note(.connectFailed(reason: "timed out"), from: .connecting, to: .idle, at: Self.now)
        history.note(.connectFailed(reason: "timed out"), from: .connecting, to: .idle, at: Self.now)
        history.note(.discovered(present: []), from: .discovering, to: .ready, at: Self.now)
        history.note(.obtained("a", isNotification: true), from: .ready, to: .ready, at: Self.now)
        history.note(.obtained("a", isNotification: false), from: .ready, to: .ready, at: Self.now)
        history.note(.connectionLost, from: .ready, to: .seeking, at: Self.now)
        history.noteDecodingFailure()
        #expect(
            history.json(lastSeen: Timestamp(milliseconds: 0)) == [
                "last_seen": "1970-01-01T00:00:00.000Z", "connects": 1,
                "failures": ["the link was lost": 1, "timed out": 2], "notifications": 1, "decode_failures": 1,
            ])
    }

    @Test func `a link that was let go is no failure`() {
        var history = DeviceHistory()
        history.note(.connectionLost, from: .ending, to: .ending, at: Self.now)
        #expect(history.failures.isEmpty)
    }

    @Test func `causes without number share one count`() {
        var history = DeviceHistory()
        for index in 0..<100 {
            history.note(.connectFailed(reason: "\(index)"), from: .connecting, to: .idle, at: Self.now)
        }
        #expect(history.failures.count == 9)
        #expect(history.failures["other"] == 92)
    }

    @Test func `health describes the process, the adapters and each device`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            let health = try await fixture.recorder.next("bluefleet/bridge/attic/health")
            #expect(try #require(health["memory"]?.int) > 1 << 20)
            #expect(health["notifications_per_second"] != nil)
            #expect(health["superseded"] != nil)
            #expect(health["devices"]?["climate"]?["connects"] != nil)
            #expect(health["adapters"]?.array != nil)
        }
    }

    @Test func `health is published when the number of connections changes`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            func connections(_ count: Int) async throws {
                try await fixture.recorder.next("bluefleet/bridge/attic/health") {
                    $0["adapters"]?.array?.first?["connections"]?.int == count
                }
            }
            try await connections(1)
            try await fixture.request("climate/request/disconnect")
            try await connections(0)
        }
    }
}
