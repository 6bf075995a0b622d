internal import CLinux
internal import Glibc

extension EventLoop {
    /// The present on the loop's clock.
    package var now: Instant {
        switch time {
        case .manual: return manualNow
        case .system:
            var moment = timespec()
            clock_gettime(CLOCK_BOOTTIME, &moment)
            return Instant(nanoseconds: Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec))
        }
    }

    /// The present in UTC.
    package var timestamp: Timestamp {
        switch time {
        case .manual: return Timestamp(milliseconds: manualNow.nanoseconds / 1_000_000)
        case .system:
            var moment = timespec()
            clock_gettime(CLOCK_REALTIME, &moment)
            return Timestamp(milliseconds: Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000)
        }
    }

    /// Moves a manual clock; the timers that fall due run in the loop's next turn.
    package func advance(by duration: Duration) {
        precondition(time == .manual, "only a manual clock is turned by hand")
        manualNow = manualNow + duration
    }

    /// Calls `handler` once, on the loop, after `delay`.
    @discardableResult
    package func schedule(after delay: Duration, _ handler: @escaping () -> Void) -> Timer {
        precondition(isCurrent, "timers belong to the loop's thread")
        let timer = Timer(due: now + delay, handler: handler)
        timers.insert(timer)
        return timer
    }

    /// Suspends the calling task, and nothing else, for `delay`.
    package func sleep(for delay: Duration, isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            schedule(after: delay) { continuation.resume() }
        }
    }

    /// Waits for the end of `body`, though no longer than `limit`; what takes longer goes on by itself.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    package func wait(
        for limit: Duration, isolation: isolated (any Actor)? = #isolation,
        untilDone body: @escaping @Sendable () async -> Void
    ) async -> Bool {
        let outcomes = Mailbox<Bool>()
        let timer = schedule(after: limit) { outcomes.put(false) }
        Task(executorPreference: tasks) {
            await body()
            outcomes.put(true)
        }
        let isDone = await outcomes.next() ?? false
        timer.cancel()
        return isDone
    }
}
