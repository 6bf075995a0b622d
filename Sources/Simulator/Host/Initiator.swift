/// A controller's way to a link, which is for one peripheral at a time.
///
/// Linux starts no other connection before the one that it has started is made or given up; those to peripherals that are
/// not heard do not count.
final class Initiator {
    private var current: ConnectionAttempt?
    private var waiting: [(attempt: ConnectionAttempt, start: () -> Void)] = []

    /// Calls `start` when the attempt's turn has come; the turn lasts as long as the attempt.
    func enter(_ attempt: ConnectionAttempt, _ start: @escaping () -> Void) {
        attempt.onEnd = { [weak self, unowned attempt] in self?.leave(attempt) }
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
