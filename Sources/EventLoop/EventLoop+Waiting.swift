internal import CLinux
internal import Glibc

/// Waiting for what comes next.
extension EventLoop {
    /// How long things may gather while many come, to be handled in one go: zero, as it is at first, for not at all.
    ///
    /// A manual clock moves for nobody: by it nothing gathers.
    package var moderation: Duration {
        get { moderated.pause }
        set { moderated.pause = time == .system ? newValue : .zero }
    }

    /// Whether so much comes that things gather between two turns.
    package var isGathering: Bool {
        moderated.gathers(at: now)
    }

    /// Something was sent whose answer is likely to come within `limit`, and is to be handled as soon as it comes.
    package func expectAnswer(within limit: Duration) {
        guard moderated.pause > .zero else { return }
        moderated.expectAnswer(until: now + limit)
    }

    /// Calls `handler` once, when all descriptors that are ready together have been handled: of the handlers given for
    /// one turn the last comes first.
    package func afterDescriptors(_ handler: @escaping () -> Void) {
        afterwards.append(handler)
    }

    /// Calls `handler` once, when all that has come is handled and before the loop waits for more; where more comes
    /// without an end, when things have gathered for as long as they may.
    package func beforeWaiting(_ handler: @escaping () -> Void) {
        if conclusions.isEmpty { conclusionsDue = now + moderated.pause }
        conclusions.append(handler)
    }

    /// Waits for descriptors, until the next timer at most, and says how many of `events` have come.
    func wait() -> Int {
        if gathers {
            // What is there already comes first: a library takes in only so much at a time.
            let count = poll(0)
            if count > 0 {
                if !conclusions.isEmpty, now >= conclusionsDue { conclude() }
                return count
            }
        }
        conclude()
        if gathers {
            gather()
            let count = poll(0)
            moderated.gathered(count > 0, at: now)
            if count > 0 { return count }
        }
        let count = poll(waitMilliseconds())
        if count > 0, moderated.pause > .zero { moderated.came(at: now) }
        return count
    }

    private var gathers: Bool {
        moderated.gathers(at: now) && waitMilliseconds() != 0
    }

    private func conclude() {
        while let conclusion = conclusions.popLast() { conclusion() }
    }

    private func gather() {
        let (seconds, attoseconds) = moderated.pause.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }

    private func poll(_ milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)))
    }

    /// How long to sleep: not at all with jobs at hand, else until the next timer (-1: for ever).
    private func waitMilliseconds() -> Int32 {
        if hasWork { return 0 }
        guard let next = timers.next else { return -1 }
        guard time == .system else { return next <= now ? 0 : -1 }
        // Rounded up: a timer that wakes too early would make the loop spin for the rest of the millisecond.
        let milliseconds = (next.nanoseconds(since: now) + 999_999) / 1_000_000
        return Int32(clamping: max(0, milliseconds))
    }
}
