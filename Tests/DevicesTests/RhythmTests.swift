import Configuration
import System
import Testing

@testable import Devices

@Suite struct RhythmTests {
    static func rhythm(_ keys: String = "subscribe: true") throws -> Rhythm {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor: {address: C0:00:00:00:00:01, characteristics: {temperature: {\(keys)}}}
                """)
        return Rhythm(configuration.devices[0].characteristics[0])
    }

    /// An instant in seconds since the start.
    static func at(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1e9))
    }

    @Test func `a rhythm counts only after the probation`() throws {
        var rhythm = try Self.rhythm()
        for second in 0..<500 { rhythm.beat(at: Self.at(Double(second))) }
        #expect(rhythm.deadline == nil)
    }

    @Test func `a value is overdue after five intervals of a steady rhythm`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 1200, by: 30) { rhythm.beat(at: Self.at(second)) }
        #expect(rhythm.deadline == Self.at(1200 + 5 * 30))
    }

    @Test func `a fast rhythm may pause for 60 seconds`() throws {
        var rhythm = try Self.rhythm()
        for second in 0...1000 { rhythm.beat(at: Self.at(Double(second))) }
        #expect(rhythm.deadline == Self.at(1060))
    }

    @Test func `irregular values are never overdue`() throws {
        var rhythm = try Self.rhythm()
        var second = 0.0
        for index in 0..<2000 {
            // A door is opened and closed, followed by a long silence.
            second +=
                index.isMultiple(of: 2)
                ? .random(in: 1...5) : .random(in: 300...3000)
            rhythm.beat(at: Self.at(second))
            #expect(rhythm.deadline == nil)
        }
    }

    @Test func `values in pairs have a rhythm`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 20) {
            rhythm.beat(at: Self.at(second))
            rhythm.beat(at: Self.at(second + 0.001))
        }
        #expect(rhythm.deadline == Self.at(900.001 + 5 * 20))
    }

    @Test func `a single missing value is tolerated, and a long gap restarts the learning`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 10) where second != 500 { rhythm.beat(at: Self.at(second)) }
        #expect(rhythm.deadline != nil)
        rhythm.beat(at: Self.at(2000))
        #expect(rhythm.deadline == nil)
    }

    @Test func `the time without a connection does not count`() throws {
        var rhythm = try Self.rhythm()
        for second in stride(from: 0.0, through: 900, by: 10) { rhythm.beat(at: Self.at(second)) }
        rhythm.resume(at: Self.at(5000))
        #expect(rhythm.deadline == Self.at(5060))
        rhythm.beat(at: Self.at(5003))
        rhythm.beat(at: Self.at(5013))
        #expect(rhythm.deadline == Self.at(5073))
    }

    @Test func `a periodic read may fail once`() throws {
        var rhythm = try Self.rhythm("read: 1h")
        #expect(rhythm.deadline == nil)
        rhythm.beat(at: Self.at(10))
        #expect(rhythm.deadline == Self.at(10 + 7200 + 60))
    }
}
