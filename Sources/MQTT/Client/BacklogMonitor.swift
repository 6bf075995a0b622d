/// Decides when the broker has fallen behind the messages published, and when it has caught up.
///
/// The backlog is the number of queued messages, without the newest of each state.
struct BacklogMonitor {
    /// The broker has fallen behind when the backlog reaches this number, and has caught up at half of it.
    static let limit = 1000

    /// Whether the broker has fallen behind.
    private(set) var isBehind = false

    /// Returns true if the broker falls behind with this backlog.
    mutating func grew(to backlog: Int) -> Bool {
        guard backlog >= Self.limit, !isBehind else { return false }
        isBehind = true
        return true
    }

    /// Returns true if the broker catches up with this backlog.
    mutating func shrank(to backlog: Int) -> Bool {
        backlog <= Self.limit / 2 && end()
    }

    /// Returns true if the broker was behind; without a connection it no longer is.
    mutating func end() -> Bool {
        defer { isBehind = false }
        return isBehind
    }
}
