import System
import Testing

@Suite struct TimestampTests {
    @Test func `Timestamp describes itself in ISO 8601`() {
        #expect(Timestamp(milliseconds: 1_795_410_540_123).description == "2026-11-23T05:09:00.123Z")
        #expect(Timestamp(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: -5).description == "1970-01-01T00:00:00.000Z")
    }
}
