import Spool
import System
import Testing

@testable import Bridge

@Suite struct LateNumbersTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func `the numbers of late messages rise, also if the clock is set back`() {
        let numbers = LateNumbers()
        let first = numbers.reserve(at: Self.now)
        #expect(first == Self.now.leastRecordID)
        #expect(numbers.reserve(3, at: Self.now) == first + 1)
        #expect(numbers.reserve(at: Timestamp(milliseconds: 0)) == first + 4)
        numbers.note(first + 100)
        #expect(numbers.reserve(at: Self.now) == first + 101)
    }
}
