import System

/// When the client connects again, and which addresses of the broker's name it tries first.
struct Reconnection {
    /// A connection that lasts longer than this is a success: the delays start again with the shortest.
    static let steady = Duration.seconds(10)

    private var backoff: Backoff
    /// Whether the next attempt tries IPv4 addresses first.
    ///
    /// A family that worked is used again.
    private(set) var prefersIPv4 = true

    init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// Tries the other address family first next time.
    mutating func attemptFailed() {
        prefersIPv4.toggle()
    }

    /// - Parameter duration: How long the connection lasted. A broker that closes connections early needs time.
    mutating func connectionEnded(after duration: Duration) {
        if duration > Self.steady { backoff.reset() }
    }

    /// Returns the delay before the next attempt, with a random part.
    mutating func delay() -> Duration {
        backoff.delay(share: .random(in: 0...1))
    }
}
