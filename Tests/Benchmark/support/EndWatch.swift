import Foundation
import Synchronization

/// Stops one process when another one ends, so that a reader of the first does not wait forever.
final class EndWatch: Sendable {
    private let isCancelled = Atomic<Bool>(false)

    /// Watches a child process until its end; the child can still be waited for.
    init(of child: pid_t, ending other: pid_t) {
        Thread.detachNewThread { [self] in
            var information = siginfo_t()
            while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            if !isCancelled.load(ordering: .relaxed) { kill(other, SIGTERM) }
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }
}
