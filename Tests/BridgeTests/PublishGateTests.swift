import Codec
import Configuration
import EventLoop
import Testing

@testable import Bridge

/// Which readings are published (contract, `publish:`).
@Suite struct PublishGateTests {
    /// A gate by the keys of `publish`, and readings at seconds since the beginning.
    struct Play {
        var gate: PublishGate

        init(_ keys: String) throws {
            let configuration = try Configuration(
                yaml: """
                    devices:
                      sensor:
                        address: C0:00:00:00:00:01
                        characteristics: {temperature: {subscribe: true, publish: {\(keys)}}}
                    """)
            gate = PublishGate(configuration.devices[0].characteristics[0].publish)
        }

        mutating func callAsFunction(_ value: Value, at second: Double) -> PublishGate.Verdict {
            gate.admit(value, at: RhythmTests.at(second))
        }

        mutating func release(_ value: Value, at second: Double) -> Bool {
            gate.release(value, at: RhythmTests.at(second))
        }
    }

    @Test func `without rules every reading is published`() throws {
        var play = try Play("")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20, at: 0) == .publish)
    }

    @Test func `on change: what equals the last one is left out`() throws {
        var play = try Play("on_change: true")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20.0, at: 1) == .drop)
        #expect(play(20.5, at: 2) == .publish)
        #expect(play(.null, at: 3) == .publish)
        #expect(play(.null, at: 4) == .drop)
    }

    @Test func `deadband: counts from the last one published, to the exact digit`() throws {
        var play = try Play("deadband: 0.3")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20.2, at: 1) == .drop)
        #expect(play(20.3, at: 2) == .publish)
        #expect(play(20.1, at: 3) == .drop)
        #expect(play(20, at: 4) == .publish)
        #expect(play(.null, at: 5) == .publish)
    }

    @Test func `deadband: one field that moves is enough, and what is no number must be the same`() throws {
        var play = try Play("deadband: 1")
        #expect(play(["t": 20, "h": 50, "open": false], at: 0) == .publish)
        #expect(play(["t": 20.9, "h": 50.9, "open": false], at: 1) == .drop)
        #expect(play(["t": 20, "h": 51, "open": false], at: 2) == .publish)
        #expect(play(["t": 20, "h": 51, "open": true], at: 3) == .publish)
        #expect(play(["t": 20, "h": 51], at: 4) == .publish)
    }

    @Test func `at most every: the newest follows when the time is over`() throws {
        var play = try Play("at_most_every: 10s")
        #expect(play(20, at: 0) == .publish)
        #expect(play(21, at: 4) == .delay(.seconds(6)))
        #expect(play(22, at: 9) == .delay(.seconds(1)))
        #expect(play.release(22, at: 10) == true)
        #expect(play(23, at: 19) == .delay(.seconds(1)))
        #expect(play(24, at: 20) == .publish)
    }

    @Test func `what was put off and is no news any more is not published`() throws {
        var play = try Play("at_most_every: 10s, on_change: true")
        #expect(play(20, at: 0) == .publish)
        #expect(play(21, at: 4) == .delay(.seconds(6)))
        #expect(play(20, at: 5) == .drop)
        #expect(play.release(20, at: 10) == false)
        #expect(play(21, at: 10) == .publish)
    }

    @Test func `at least every: whatever the other rules leave out`() throws {
        var play = try Play("deadband: 5, at_least_every: 1m")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20, at: 59) == .drop)
        #expect(play(20, at: 60) == .publish)
        #expect(play(20, at: 61) == .drop)
        play.gate.repeated(at: RhythmTests.at(100))
        #expect(play(20, at: 121) == .drop)
        #expect(play(20, at: 160) == .publish)
    }
}
