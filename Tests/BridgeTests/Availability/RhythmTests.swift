import Configuration
import EventLoop
import Testing

@testable import Bridge

@Suite struct RhythmTests {
    static func rhythm(_ keys: String = "subscribe: true") throws -> Rhythm {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor: {address: C0:00:00:00:00:01, characteristics: {temperature: {\(keys)}}}
                """)
        return Rhythm(configuration.devices[0].characteristics[0])
    }

    /// Seconds since the beginning.
    static func at(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1e9))
    }

    @Test func `nothing is expected of what has not shown a rhythm for long`() throws {
        var rhythm = try Self.rhythm()
        for second in 0..<500 { rhythm.beat(at: Self.at(Double(second))) }
        #expect(rhythm.deadline == nil)
    }

    @Test func `a steady rhythm is expected to go on, with patience`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 1200, by: 30) { rhythm.beat(at: Self.at(second)) }
        #expect(rhythm.deadline == Self.at(1200 + 5 * 30))
    }

    @Test func `a fast rhythm may pause for a minute`() throws {
        var rhythm = try Self.rhythm()
        for second in 0...1000 { rhythm.beat(at: Self.at(Double(second))) }
        #expect(rhythm.deadline == Self.at(1060))
    }

    @Test func `what comes now and then is never overdue`() throws {
        var rhythm = try Self.rhythm()
        var second = 0.0
        for index in 0..<2000 {
            // Two movements of a door, and then a long silence.
            second +=
                index.isMultiple(of: 2)
                ? .random(in: 1...5) : .random(in: 300...3000)
            rhythm.beat(at: Self.at(second))
            #expect(rhythm.deadline == nil)
        }
    }

    @Test func `values that come two by two have a rhythm too`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 20) {
            rhythm.beat(at: Self.at(second))
            rhythm.beat(at: Self.at(second + 0.001))
        }
        #expect(rhythm.deadline == Self.at(900.001 + 5 * 20))
    }

    @Test func `one missing value is no silence, and a long one is learned from anew`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 10) where second != 500 { rhythm.beat(at: Self.at(second)) }
        #expect(rhythm.deadline != nil)
        rhythm.beat(at: Self.at(2000))
        #expect(rhythm.deadline == nil)
    }

    @Test func `the time without a link does not count`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 10) { rhythm.beat(at: Self.at(second)) }
        rhythm.resume(at: Self.at(5000))
        #expect(rhythm.deadline == Self.at(5060))
        rhythm.beat(at: Self.at(5003))
        rhythm.beat(at: Self.at(5013))
        #expect(rhythm.deadline == Self.at(5073))
    }

    @Test func `what is read in an interval may fail once`() throws {
        var rhythm = try Self.rhythm("read: 1h")
        #expect(rhythm.deadline == nil)
        rhythm.beat(at: Self.at(10))
        #expect(rhythm.deadline == Self.at(10 + 7200 + 60))
    }
}
