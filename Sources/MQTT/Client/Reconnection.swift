import System

/// Decides when the client connects again, and which addresses of the broker's name it tries first.
struct Reconnection {
    /// The duration of a steady connection: after a longer connection, the delays start again with the shortest.
    static let steady = Duration.seconds(10)

    private var backoff: Backoff
    /// Whether the next attempt tries IPv4 addresses first.
    ///
    /// After a successful attempt, the next attempt begins with the same address family.
    private(set) var prefersIPv4 = true

    init(_ backoff: Backoff) {
        self.backoff = backoff
    }

    /// Makes the next attempt begin with the other address family.
    mutating func attemptFailed() {
        prefersIPv4.toggle()
    }

    /// Resets the delay after a steady connection; a broker that closes connections early gets more time.
    ///
    /// - Parameter duration: How long the connection lasted.
    mutating func connectionEnded(after duration: Duration) {
        if duration > Self.steady { backoff.reset() }
    }

    /// Resets the delay: the cause for the end of the connection is known, and the next connection avoids it.
    mutating func causeFound() {
        backoff.reset()
    }

    /// Returns the delay before the next attempt, with a random part.
    mutating func delay() -> Duration {
        backoff.delay(share: .random(in: 0...1))
    }
}
