import System
import Testing

@testable import EventLoop

@Suite struct ModerationTests {
    private func moment(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// Returns a moderation with a pause of 5 ms after waits that ended at these milliseconds.
    private func moderation(_ arrivals: Int64...) -> Moderation {
        var moderation = Moderation(pause: .milliseconds(5))
        for arrival in arrivals { moderation.arrived(at: moment(arrival)) }
        return moderation
    }

    @Test func `Moderation batches events that follow each other within one pause`() {
        #expect(moderation(100, 100).isBatching(at: moment(100)))
        #expect(moderation(100, 104).isBatching(at: moment(104)))
    }

    @Test func `Moderation does not batch single events`() {
        #expect(!moderation().isBatching(at: moment(0)))
        #expect(!moderation(100).isBatching(at: moment(100)))
        #expect(!moderation(100, 105).isBatching(at: moment(105)))
        #expect(!moderation(100, 101, 106).isBatching(at: moment(106)))
    }

    @Test func `Moderation keeps batching as long as events arrive in the pauses`() {
        var moderation = moderation(100, 101)
        moderation.collected(true, at: moment(106))
        #expect(moderation.isBatching(at: moment(106)))
        moderation.collected(false, at: moment(111))
        #expect(!moderation.isBatching(at: moment(111)))
    }

    @Test func `an event after an empty pause is compared with the last event before it`() {
        var moderation = moderation(100, 101)
        moderation.collected(false, at: moment(106))
        moderation.arrived(at: moment(110))
        #expect(!moderation.isBatching(at: moment(110)))
    }

    @Test func `Moderation does not batch until the deadline of an expected answer`() {
        var moderation = moderation(100, 101)
        moderation.expectAnswer(until: moment(111))
        moderation.expectAnswer(until: moment(102))
        #expect(!moderation.isBatching(at: moment(110)))
        #expect(moderation.isBatching(at: moment(111)))
    }

    @Test func `Moderation without a pause never batches`() {
        var moderation = Moderation()
        moderation.arrived(at: moment(100))
        moderation.arrived(at: moment(100))
        #expect(!moderation.isBatching(at: moment(100)))
    }
}
