/// Decides when the broker has fallen behind the published messages, and when it has caught up.
///
/// The backlog is the number of queued messages, without the newest of each state.
struct BacklogMonitor {
    /// The backlog at which the broker has fallen behind; at half of this number, the broker has caught up.
    static let limit = 1000

    /// Whether the broker has fallen behind.
    private(set) var isBehind = false

    /// Updates the state after the backlog has grown; returns whether the broker has fallen behind with this backlog.
    mutating func grew(to backlog: Int) -> Bool {
        guard backlog >= Self.limit, !isBehind else { return false }
        isBehind = true
        return true
    }

    /// Updates the state after the backlog has shrunk; returns whether the broker has caught up with this backlog.
    mutating func shrank(to backlog: Int) -> Bool {
        backlog <= Self.limit / 2 && end()
    }

    /// Resets the state, for example after the end of the connection; returns whether the broker was behind.
    mutating func end() -> Bool {
        defer { isBehind = false }
        return isBehind
    }
}
