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
    private var call = Call.none

    /// The call of `Connect`.
    private enum Call { case none, sent, succeeded }

    init(_ connections: AdapterConnections) {
        self.connections = connections
    }

    /// Whether the attempt must end now: it is cancelled or interrupted.
    var shouldEnd: Bool { isCancelled || isInterrupted }

    func cancel() { isCancelled = true }
    func move() { isMoved = true }

    /// Ends the turn.
    ///
    /// - Returns: False if bluetoothd has reported success: ending the attempt would end the new connection.
    func interrupt() -> Bool {
        if call != .succeeded { isInterrupted = true }
        return isInterrupted
    }

    func beginTurn(at now: Instant) {
        isInterrupted = false
        turnStart = now
    }

    /// Whether `Connect` has been called and the connection has not been reported yet.
    var isPending: Bool { call != .none }

    func callSent() { call = .sent }
    func callSucceeded() { call = .succeeded }
    func callEnded() { call = .none }
}
