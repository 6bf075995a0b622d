/// When more is published than the broker takes.
extension Client {
    /// So many messages wait, beside the newest of each state, when the broker has fallen behind; with half of them it
    /// has caught up.
    static let longBacklog = 1000

    /// Sends of the states that wait only the newest. From the loop only.
    package nonisolated func skipToNewest() {
        assumeIsolated { client in
            client.outbox.halt()
            client.lineMoved()
        }
    }

    /// The line has grown.
    func lineGrew() {
        guard outbox.backlog >= Self.longBacklog, !isBehind, case .connected = state else { return }
        isBehind = true
        handler(.fellBehind)
    }

    /// The line has moved on.
    func lineMoved() {
        if outbox.backlog <= Self.longBacklog / 2 { lineEnded() }
    }

    /// There is no long line any more, or no connection in which it would be one.
    func lineEnded() {
        guard isBehind else { return }
        isBehind = false
        handler(.caughtUp)
    }
}
