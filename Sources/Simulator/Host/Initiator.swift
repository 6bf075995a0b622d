/// The connection attempts of a controller, one at a time.
///
/// Linux starts a connection attempt only when the previous one has succeeded or ended. Attempts to peripherals that do
/// not advertise do not count.
final class Initiator {
    private var current: ConnectionAttempt?
    private var waiting: [(attempt: ConnectionAttempt, start: () -> Void)] = []

    /// Calls `start` when the earlier attempts have ended; the next attempt starts when this one has ended.
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
