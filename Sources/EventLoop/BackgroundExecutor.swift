import Synchronization

/// The executor of an actor whose calls block: its jobs run one after another on a `BackgroundThread`.
///
///     actor Archive {
///         nonisolated let unownedExecutor: UnownedSerialExecutor
///         private let executor = BackgroundExecutor()
///         init() { unownedExecutor = executor.asUnownedSerialExecutor() }
///     }
///
/// The thread ends when no job is left. A job of the loop that waits for a call costs about 30 µs.
package final class BackgroundExecutor: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasThread = false
    }

    private let state = Mutex(State())

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { BackgroundThread.start { self.runJobs() } }
    }

    private func runJobs() {
        while let job = nextJob() {
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    private func nextJob() -> UnownedJob? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.hasThread = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
