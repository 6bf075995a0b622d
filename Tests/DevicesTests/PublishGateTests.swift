import Codec
import Configuration
import Testing

@testable import Devices

/// The rules of `publish:`.
@Suite struct PublishGateTests {
    /// Returns the verdicts of a gate with these keys for readings at these seconds.
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
            gate.admit(.value(value, unit: nil), at: RhythmTests.at(second))
        }

        mutating func release(_ value: Value, at second: Double) -> Bool {
            gate.release(.value(value, unit: nil), at: RhythmTests.at(second))
        }
    }

    @Test func `PublishGate without rules publishes every reading`() throws {
        var play = try Play("")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20, at: 0) == .publish)
    }

    @Test func `PublishGate with on_change drops a reading that equals the last one`() throws {
        var play = try Play("on_change: true")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20.0, at: 1) == .drop)
        #expect(play(20.5, at: 2) == .publish)
        #expect(play(.null, at: 3) == .publish)
        #expect(play(.null, at: 4) == .drop)
    }

    @Test func `PublishGate with deadband compares with the last published reading, exactly`() throws {
        var play = try Play("deadband: 0.3")
        #expect(play(20, at: 0) == .publish)
        #expect(play(20.2, at: 1) == .drop)
        #expect(play(20.3, at: 2) == .publish)
        #expect(play(20.1, at: 3) == .drop)
        #expect(play(20, at: 4) == .publish)
        #expect(play(.null, at: 5) == .publish)
    }

    @Test func `PublishGate with deadband publishes if one field moves or a value that is no number changes`() throws {
        var play = try Play("deadband: 1")
        #expect(play(["t": 20, "h": 50, "open": false], at: 0) == .publish)
        #expect(play(["t": 20.9, "h": 50.9, "open": false], at: 1) == .drop)
        #expect(play(["t": 20, "h": 51, "open": false], at: 2) == .publish)
        #expect(play(["t": 20, "h": 51, "open": true], at: 3) == .publish)
        #expect(play(["t": 20, "h": 51], at: 4) == .publish)
    }

    @Test func `PublishGate with at_most_every publishes the newest reading after the time`() throws {
        var play = try Play("at_most_every: 10s")
        #expect(play(20, at: 0) == .publish)
        #expect(play(21, at: 4) == .delay(.seconds(6)))
        #expect(play(22, at: 9) == .delay(.seconds(1)))
        #expect(play.release(22, at: 10) == true)
        #expect(play(23, at: 19) == .delay(.seconds(1)))
        #expect(play(24, at: 20) == .publish)
    }

    @Test func `PublishGate drops a delayed reading that equals the last published one`() throws {
        var play = try Play("at_most_every: 10s, on_change: true")
        #expect(play(20, at: 0) == .publish)
        #expect(play(21, at: 4) == .delay(.seconds(6)))
        #expect(play(20, at: 5) == .drop)
        #expect(play.release(20, at: 10) == false)
        #expect(play(21, at: 10) == .publish)
    }

    @Test func `PublishGate with at_least_every publishes in spite of the other rules`() throws {
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
