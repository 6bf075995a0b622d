import System
import Testing

@testable import Devices

@Suite struct IdleDisconnectionsTests {
    private typealias Habit = IdleDisconnections.Habit

    /// Returns the habits that are reported for connections of a duration, with a gap after each one.
    private func habits(
        _ count: Int, lasting duration: Duration = .seconds(20), gap: Duration = .seconds(1),
        _ cause: (Int) -> IdleDisconnections.Cause = { _ in .device }, wasOfUse: Bool = true
    ) -> [Habit] {
        var (disconnections, now) = (IdleDisconnections(), Instant(nanoseconds: 0))
        return (0..<count).compactMap { number in
            disconnections.connected(at: now)
            now = now + duration
            defer { now = now + gap }
            return disconnections.ended(because: cause(number), wasOfUse: wasOfUse, at: now)
        }
    }

    @Test func `five connections that the device ends are reported once`() {
        #expect(habits(4).isEmpty)
        #expect(habits(20) == [Habit(isCertain: true, isAlwaysOn: true)])
    }

    @Test func `a device that is connected again after minutes is not always on`() {
        #expect(habits(5, gap: .seconds(600)) == [Habit(isCertain: true, isAlwaysOn: false)])
    }

    @Test func `without a reason of bluetoothd the habit is not certain`() {
        #expect(habits(5, { $0 == 2 ? .unknown : .device }) == [Habit(isCertain: false, isAlwaysOn: true)])
    }

    @Test func `long connections, useless ones and other ends are no habit`() {
        #expect(habits(20, lasting: .seconds(301)).isEmpty)
        #expect(habits(20, wasOfUse: false).isEmpty)
        #expect(habits(20, { $0 % 5 == 4 ? .other : .device }).isEmpty)
    }
}
