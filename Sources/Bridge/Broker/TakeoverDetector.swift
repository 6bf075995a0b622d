import MQTT
import System

/// Detects another client that connects to the broker with the same client identifier.
///
/// The broker disconnects the older of two such clients (MQTT 5, 3.1.4), and need not report the reason. It does so at
/// any time. A broker that closes connections because of a packet does so while the client waits for an answer.
struct TakeoverDetector {
    /// The duration below which a connection is short.
    ///
    /// The two clients disconnect each other after short connections, because each client reconnects after a delay.
    private static let longestConnection = Duration.seconds(30)
    /// The number of consecutive short connections that indicate another client.
    private static let suspiciousCount = 3

    private var start: Instant?
    private var count = 0

    mutating func connected(at now: Instant) {
        start = now
    }

    /// - Parameters:
    ///   - cause: The cause for the end of the connection.
    ///   - now: The current time.
    /// - Returns: Whether another client probably uses the identifier.
    mutating func disconnected(because cause: EndCause, at now: Instant) -> Bool {
        // A failed attempt to connect does not count as a connection.
        guard let start else { return false }
        self.start = nil
        let isShort = now - start < Self.longestConnection
        count = isShort && cause == .closed(isIdle: true) ? count + 1 : 0
        return cause == .takenOver || count >= Self.suspiciousCount
    }
}
