import EventLoop
import System

/// An attempt to connect to a peripheral, from the call to its outcome.
final class ConnectionAttempt {
    let connections: AdapterConnections
    /// Whether the caller no longer wants the connection.
    private(set) var isCancelled = false
    /// Whether its turn is over, because others wait.
    private(set) var isInterrupted = false
    /// Whether another adapter has a slot for it, or another program has made the connection.
    private(set) var isMoved = false
    /// When its last turn began.
    private(set) var turnStart: Instant?
    /// Whether bluetoothd has been asked for the connection and has not replied.
    private(set) var isPending = false

    init(_ connections: AdapterConnections) {
        self.connections = connections
    }

    /// Whether nothing more should be tried for now.
    var shouldEnd: Bool { isCancelled || isInterrupted }

    func cancel() { isCancelled = true }
    func move() { isMoved = true }
    func interrupt() { isInterrupted = true }

    func beginTurn(at now: Instant) {
        isInterrupted = false
        turnStart = now
    }

    func setPending(_ isPending: Bool) {
        self.isPending = isPending
    }
}
