import EventLoop
import System

/// Detects another client that connects to the broker with the same client identifier.
///
/// A broker disconnects the older of two such clients (MQTT 5, 3.1.4), and it need not give the reason.
struct TakeoverDetector {
    /// The longest connection that another client may have ended: each of the two waits before it reconnects.
    private static let longestConnection = Duration.seconds(30)
    /// The number of short connections in a row that are no coincidence.
    private static let suspiciousCount = 3

    private var start: Instant?
    private var count = 0

    mutating func connected(at now: Instant) {
        start = now
    }

    /// - Returns: Whether another client probably uses the identifier.
    mutating func disconnected(at now: Instant) -> Bool {
        // An attempt that fails is no connection.
        guard let start else { return false }
        self.start = nil
        count = now - start < Self.longestConnection ? count + 1 : 0
        return count >= Self.suspiciousCount
    }
}
