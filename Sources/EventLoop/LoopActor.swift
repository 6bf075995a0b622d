import System

/// An actor without state on an event loop, on which the first task of a program or a test runs.
package actor LoopActor: LoopBound {
    package nonisolated let loop: EventLoop
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    package init(loop: EventLoop) {
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
    }
}

extension EventLoop {
    /// Creates a loop, runs it on the calling thread until `body` has returned, and returns the result of `body`.
    ///
    /// - Throws: The error of `body`, or `SystemError` if the loop cannot be created.
    package static func run<Success: Sendable>(
        time: Time = .system, _ body: @escaping @Sendable (isolated LoopActor) async throws -> Success
    ) throws -> Success {
        let loop = try EventLoop(time: time)
        let home = LoopActor(loop: loop)
        let outcome = Outcome<Success>()
        // A task that is created outside of any actor would start on Swift's thread pool.
        loop.schedule(after: .zero) {
            home.assumeIsolated { home in
                home.start(body, outcome)
            }
        }
        loop.run()
        guard let result = outcome.result else { preconditionFailure("the loop was stopped before its body returned") }
        return try result.get()
    }
}

extension LoopActor {
    fileprivate func start<Success: Sendable>(
        _ body: @escaping @Sendable (isolated LoopActor) async throws -> Success, _ outcome: Outcome<Success>
    ) {
        spawn { home in
            do {
                outcome.result = .success(try await body(home))
            } catch {
                outcome.result = .failure(error)
            }
            home.loop.stop()
        }
    }
}

/// The result of the body of `EventLoop.run`; the loop's thread writes it, and reads it after the loop has ended.
private final class Outcome<Success: Sendable>: @unchecked Sendable {
    var result: Result<Success, any Error>?
}
