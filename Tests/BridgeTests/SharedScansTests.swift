import JSON
import System
import Testing

@testable import Bridge

@Suite struct SharedScansTests {
    private let start = Instant(nanoseconds: 0)

    @Test func `SharedScans joins equal scans that begin within a second`() {
        var scans = SharedScans()
        #expect(scans.begin(.seconds(600), at: start) == .new(1))
        #expect(scans.begin(.seconds(600), at: start + .seconds(1)) == .joined(1))
        #expect(scans.begin(.seconds(10), at: start + .seconds(1)) == .new(2))
        #expect(scans.begin(.seconds(600), at: start + .seconds(2)) == .new(3))
    }

    @Test func `SharedScans refuses a fifth scan until another ends`() {
        var scans = SharedScans()
        for number in 1...4 { #expect(scans.begin(.seconds(number), at: start) == .new(number)) }
        #expect(scans.begin(.seconds(5), at: start) == .refused)
        scans.end(2, with: .null)
        #expect(scans.begin(.seconds(5), at: start) == .new(5))
    }
}
