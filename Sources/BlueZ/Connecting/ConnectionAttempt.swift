import EventLoop
import System

/// An attempt to connect to a peripheral, from the call to its outcome.
final class ConnectionAttempt {
    let connections: AdapterConnections
    /// Whether the caller no longer wants the connection.
    private(set) var isCancelled = false
    /// Whether the turn of the attempt is over, because other peripherals wait or another adapter is better.
    private(set) var isInterrupted = false
    /// Whether another adapter has a slot for the peripheral, or another program has made the connection.
    private(set) var isMoved = false
    /// When the last turn of the attempt began; nil: there was no turn yet.
    private(set) var turnStart: Instant?
    /// Whether `Connect` has been called and bluetoothd has not replied.
    private(set) var isPending = false

    init(_ connections: AdapterConnections) {
        self.connections = connections
    }

    /// Whether the attempt must end now: it is cancelled or interrupted.
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
