import Testing

@testable import EventLoop

@Suite struct ModerationTests {
    private func moment(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// What comes at one moment, after the loop has waited since another.
    private func moderation(waitedSince start: Int64, until now: Int64) -> Moderation {
        var moderation = Moderation(pause: .milliseconds(5))
        moderation.waited(from: moment(start), until: moment(now), somethingCame: true)
        return moderation
    }

    @Test func `things gather while they come closer together than they may gather`() {
        #expect(moderation(waitedSince: 100, until: 100).gathers(at: moment(100)))
        #expect(moderation(waitedSince: 100, until: 104).gathers(at: moment(104)))
    }

    @Test func `what comes now and then is handled at once`() {
        #expect(!moderation(waitedSince: 100, until: 105).gathers(at: moment(105)))
        #expect(!Moderation(pause: .milliseconds(5)).gathers(at: moment(0)))
    }

    @Test func `a loop that only timers wake is not busy, and one that a timer interrupts is as before`() {
        var moderation = moderation(waitedSince: 100, until: 101)
        moderation.waited(from: moment(101), until: moment(103), somethingCame: false)
        #expect(moderation.gathers(at: moment(103)))
        moderation.waited(from: moment(103), until: moment(108), somethingCame: false)
        #expect(!moderation.gathers(at: moment(108)))
    }

    @Test func `nothing gathers before an expected answer, and all does after its time`() {
        var moderation = moderation(waitedSince: 100, until: 101)
        moderation.expectAnswer(until: moment(111))
        moderation.expectAnswer(until: moment(102))
        #expect(!moderation.gathers(at: moment(110)))
        #expect(moderation.gathers(at: moment(111)))
    }

    @Test func `with no time to gather in, nothing gathers`() {
        var moderation = Moderation()
        moderation.waited(from: moment(100), until: moment(100), somethingCame: true)
        #expect(!moderation.gathers(at: moment(100)))
    }
}
