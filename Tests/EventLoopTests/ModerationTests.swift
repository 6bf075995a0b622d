import Testing

@testable import EventLoop

@Suite struct ModerationTests {
    private func moment(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    /// What holds after things came at these moments, which nobody gathered.
    private func moderation(_ arrivals: Int64...) -> Moderation {
        var moderation = Moderation(pause: .milliseconds(5))
        for arrival in arrivals { moderation.came(at: moment(arrival)) }
        return moderation
    }

    @Test func `things gather while they come closer together than they may gather`() {
        #expect(moderation(100, 100).gathers(at: moment(100)))
        #expect(moderation(100, 104).gathers(at: moment(104)))
    }

    @Test func `what comes now and then is handled at once`() {
        #expect(!moderation().gathers(at: moment(0)))
        #expect(!moderation(100).gathers(at: moment(100)))
        #expect(!moderation(100, 105).gathers(at: moment(105)))
        #expect(!moderation(100, 101, 106).gathers(at: moment(106)))
    }

    @Test func `they go on gathering as long as some have gathered`() {
        var moderation = moderation(100, 101)
        moderation.gathered(true, at: moment(106))
        #expect(moderation.gathers(at: moment(106)))
        moderation.gathered(false, at: moment(111))
        #expect(!moderation.gathers(at: moment(111)))
    }

    @Test func `what comes just after nothing has gathered is measured by what came before`() {
        var moderation = moderation(100, 101)
        moderation.gathered(false, at: moment(106))
        moderation.came(at: moment(110))
        #expect(!moderation.gathers(at: moment(110)))
    }

    @Test func `nothing gathers before an expected answer, and all does after its time`() {
        var moderation = moderation(100, 101)
        moderation.expectAnswer(until: moment(111))
        moderation.expectAnswer(until: moment(102))
        #expect(!moderation.gathers(at: moment(110)))
        #expect(moderation.gathers(at: moment(111)))
    }

    @Test func `with no time to gather in, nothing gathers`() {
        var moderation = Moderation()
        moderation.came(at: moment(100))
        moderation.came(at: moment(100))
        #expect(!moderation.gathers(at: moment(100)))
    }
}
