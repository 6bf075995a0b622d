internal import EventLoop
internal import Glibc

extension Command {
    /// Does work that waits for the outside world, on a loop of this thread.
    ///
    /// - Throws: the `Failure` that `body` throws; any other error is something that is not available.
    func onLoop(_ body: @escaping @Sendable (isolated LoopActor) async throws -> Void) throws(Failure) {
        // A reader that goes away is noticed where one writes to it.
        signal(SIGPIPE, SIG_IGN)
        do {
            try EventLoop.run(body)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, "\(error)")
        }
    }
}
