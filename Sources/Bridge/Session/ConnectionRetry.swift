import System

/// Why a device is not connected, and when the next attempt to connect is due.
struct ConnectionRetry: Sendable {
    /// The longest delay between two attempts.
    static let longestDelay = Duration.seconds(60)
    /// The longest delay between two attempts after a failed pairing, which usually depends on a user.
    static let longestPairingDelay = Duration.seconds(600)
    /// The delay of the next attempt after a loss of the connection.
    ///
    /// The device must advertise again. A power-off of the adapter ends the connections first and must be complete:
    /// connecting during a power-off has crashed Linux 6.1 (list_debug.c:56).
    private static let delayAfterLoss = Duration.milliseconds(500)

    /// The number of consecutive failures.
    private(set) var attempts = 0
    /// Why the device is not connected; nil if the device is connected or was disconnected on purpose.
    private(set) var reason: String?
    /// Why the device is disconnected on purpose: it sent no notifications, or another device needs its slot.
    ///
    /// Nil: it is not.
    private(set) var restCause: String?
    /// Whether the next attempt waits for the timer `retry`.
    private(set) var isWaiting = false

    /// Schedules the next attempt after a failure, with a delay that doubles with each failure from 1 s up to `longest`.
    mutating func failed(_ reason: String, longest: Duration) -> SessionAction {
        self.reason = reason
        attempts += 1
        isWaiting = true
        let delay = Backoff.delay(first: .seconds(1), longest: longest, afterFailures: attempts - 1)
        return .schedule(.retry, after: delay)
    }

    /// Schedules the next attempt after a loss of the connection.
    mutating func connectionLost(_ cause: String) -> SessionAction {
        reason = cause
        isWaiting = true
        return .schedule(.retry, after: Self.delayAfterLoss)
    }

    /// Notes that the connection ends in favour of other devices.
    mutating func rest(because cause: String) {
        restCause = cause
    }

    /// Notes that the connection ends on purpose, and schedules the next attempt.
    mutating func rest(for delay: Duration, because cause: String) -> SessionAction {
        restCause = cause
        isWaiting = true
        return .schedule(.retry, after: delay)
    }

    /// Ends the wait, because the timer `retry` has fired.
    mutating func due() {
        isWaiting = false
    }

    /// Ends the wait before its time.
    mutating func now() -> [SessionAction] {
        guard isWaiting else { return [] }
        isWaiting = false
        return [.cancel(.retry)]
    }

    /// Sets why the device is not connected; nil: it was disconnected on purpose.
    mutating func setReason(_ reason: String?) {
        self.reason = reason
    }

    /// Forgets why the device is not connected.
    mutating func forgetReasons() {
        reason = nil
        restCause = nil
    }

    /// Makes the delay after the next failure the first one again.
    mutating func resetAttempts() {
        attempts = 0
    }
}
