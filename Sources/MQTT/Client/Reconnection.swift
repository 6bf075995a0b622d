import System

/// Decides when the client connects again, and to which node of the broker.
///
/// It also decides whether the IPv4 or the IPv6 addresses of the node are tried first.
///
/// After the end of a connection or a failed attempt, the next node is tried at once. A delay follows when each node has
/// been tried since the last one.
struct Reconnection {
    /// The duration of a steady connection: after a longer connection, the delays start again with the shortest.
    static let steady = Duration.seconds(10)

    private var backoff: Backoff
    /// The index of the node of the present connection or of the next attempt.
    private(set) var node = 0
    /// Whether the next attempt tries the IPv4 addresses of a node first.
    private var isIPv4First: [Bool]
    /// The number of connections and attempts that have ended since the last delay or steady connection.
    private var ended = 0

    /// - Parameters:
    ///   - backoff: The delays between two rounds through all nodes.
    ///   - nodes: The number of nodes, at least 1.
    init(_ backoff: Backoff, nodes: Int = 1) {
        self.backoff = backoff
        isIPv4First = Array(repeating: true, count: nodes)
    }

    /// Whether the next attempt tries IPv4 addresses first.
    ///
    /// After a successful attempt, the next attempt to the same node begins with the same address family.
    var prefersIPv4: Bool { isIPv4First[node] }

    /// Makes the next attempt to the node begin with the other address family.
    mutating func attemptFailed() {
        isIPv4First[node].toggle()
    }

    /// Resets the delay after a steady connection; a broker that closes connections early gets more time.
    ///
    /// - Parameter duration: How long the connection lasted.
    mutating func connectionEnded(after duration: Duration) {
        guard duration > Self.steady else { return }
        backoff.reset()
        ended = 0
    }

    /// Resets the delay: the cause for the end of the connection is known, and the next connection avoids it.
    mutating func causeFound() {
        backoff.reset()
    }

    /// Chooses the next node, and returns the delay before the attempt, with a random part; zero: another node is left.
    mutating func next() -> Duration {
        node = (node + 1) % isIPv4First.count
        ended += 1
        guard ended >= isIPv4First.count else { return .zero }
        ended = 0
        return backoff.delay(share: .random(in: 0...1))
    }
}
