internal import EventLoop

/// Whether somebody else may connect to the broker under the same name: it throws the one out when the other comes, and
/// need not say why.
struct Rivalry {
    /// So long a connection lasts at most that ends so: until the other one has waited for its turn.
    private static let longest = Duration.seconds(30)
    /// So many in a row are no coincidence.
    private static let suspicious = 3

    private var beginning: Instant?
    private var count = 0

    mutating func connected(at now: Instant) {
        beginning = now
    }

    /// - Returns: whether it looks like that.
    mutating func disconnected(at now: Instant) -> Bool {
        // An attempt that fails says nothing.
        guard let beginning else { return false }
        self.beginning = nil
        count = now - beginning < Self.longest ? count + 1 : 0
        return count >= Self.suspicious
    }
}
