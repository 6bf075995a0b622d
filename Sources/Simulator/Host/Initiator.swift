/// The connection attempts of a controller, one at a time.
///
/// Linux starts a connection attempt only when the previous attempt has ended. An attempt to a peripheral that does not
/// advertise does not delay other attempts.
final class Initiator {
    private var current: ConnectionAttempt?
    private var waiting: [(attempt: ConnectionAttempt, start: () -> Void)] = []

    /// Calls `start` when the earlier attempts have ended; the next attempt starts when `attempt` has ended.
    func enter(_ attempt: ConnectionAttempt, _ start: @escaping () -> Void) {
        attempt.whenEnded { [weak self, unowned attempt] in self?.leave(attempt) }
        waiting.append((attempt, start))
        startNext()
    }

    private func leave(_ attempt: ConnectionAttempt) {
        waiting.removeAll { $0.attempt === attempt }
        if current === attempt { current = nil }
        startNext()
    }

    private func startNext() {
        guard current == nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        current = next.attempt
        next.start()
    }
}
