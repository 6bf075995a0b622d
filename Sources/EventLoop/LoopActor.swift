/// An actor that owns nothing but a place on a loop: where a program's or a test's first task runs.
package actor LoopActor {
    package nonisolated let loop: EventLoop
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    package init(loop: EventLoop) {
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
    }
}

extension EventLoop {
    /// Makes a loop, runs it on the calling thread until `body` has returned, and gives what `body` gave.
    ///
    /// - Throws: what `body` throws, or `EventLoopError` when there is no loop to be had.
    package static func run<Success: Sendable>(
        time: Time = .system, _ body: @escaping @Sendable (isolated LoopActor) async throws -> Success
    ) throws -> Success {
        let loop = try EventLoop(time: time)
        let home = LoopActor(loop: loop)
        let outcome = Outcome<Success>()
        // A task made here, outside of any actor, would start on Swift's thread pool: it is made on the loop instead.
        let start = Timer(due: loop.now) {
            home.assumeIsolated { home in
                home.start(body, outcome)
            }
        }
        loop.timers.insert(start)
        loop.run()
        guard let result = outcome.result else { preconditionFailure("the loop was stopped before its body returned") }
        return try result.get()
    }
}

extension LoopActor {
    fileprivate func start<Success: Sendable>(
        _ body: @escaping @Sendable (isolated LoopActor) async throws -> Success, _ outcome: Outcome<Success>
    ) {
        Task(executorPreference: loop.tasks) {
            do {
                outcome.result = .success(try await body(self))
            } catch {
                outcome.result = .failure(error)
            }
            self.loop.stop()
        }
    }
}

/// Written on the loop's thread, read by it after the loop has ended.
private final class Outcome<Success: Sendable>: @unchecked Sendable {
    var result: Result<Success, any Error>?
}
