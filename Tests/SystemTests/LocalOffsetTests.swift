import Testing

@testable import System

@Suite struct LocalOffsetTests {
    @Test(arguments: [(0, 3600, 0), (100, 7200, 3600), (200, 7200, 3600), (300, 3600, 0)])
    func `LocalOffset separates daylight saving time from the zone`(day: Int, total: Int, daylight: Int) {
        // Daylight saving time from day 90 to day 299 of a year of 365 days.
        let offset = LocalOffset(at: day * 86400) { seconds in
            90..<300 ~= seconds / 86400 % 365 ? (7200, true) : (3600, false)
        }
        #expect(offset.total == total && offset.daylight == daylight)
    }

    @Test func `LocalOffset without a standard time is all zone`() {
        let offset = LocalOffset(at: 0) { _ in (7200, true) }
        #expect(offset.total == 7200 && offset.daylight == 0)
    }
}
