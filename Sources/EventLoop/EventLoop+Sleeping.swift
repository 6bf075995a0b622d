import System

extension EventLoop {
    /// Suspends the calling task, but not the loop, for `delay`.
    package func sleep(for delay: Duration, isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            schedule(after: delay) { continuation.resume() }
        }
    }

    /// Lets the loop handle timers and descriptors before the calling task continues.
    ///
    /// A task that calls it between the parts of a long computation delays no other work.
    package func yield(isolation: isolated (any Actor)? = #isolation) async {
        await sleep(for: .zero)
    }

    /// Waits until `body` has returned, for `limit` at most; a `body` that takes longer continues without the caller.
    ///
    /// - Returns: Whether `body` has returned.
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
