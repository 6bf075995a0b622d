import EventLoop
import Glibc

extension Command {
    /// Runs asynchronous work on an event loop of this thread.
    ///
    /// - Throws: The `Failure` of `body`. Any other error becomes a failure with the status `unavailable`.
    func onLoop(_ body: @escaping @Sendable (isolated LoopActor) async throws -> Void) throws(Failure) {
        // Writing to a closed pipe must fail with an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            defer { StandardStream.endLoop() }
            try EventLoop.run { home in
                StandardStream.beginLoop(home.loop)
                try await body(home)
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }
}
