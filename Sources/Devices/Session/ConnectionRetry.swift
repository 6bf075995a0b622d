import System

/// Why a device is not connected, and when the next attempt to connect is due.
package struct ConnectionRetry: Sendable {
    /// The longest delay between two attempts.
    package static let longestDelay = Duration.seconds(60)
    /// The longest delay between two attempts after a failed pairing, which usually depends on a user.
    package static let longestPairingDelay = Duration.seconds(600)
    /// The delay of the next attempt after a loss of the connection.
    ///
    /// The device must advertise again. A power-off of the adapter ends the connections first and must be complete:
    /// connecting during a power-off has crashed Linux 6.1 (list_debug.c:56).
    private static let delayAfterLoss = Duration.milliseconds(500)

    /// How long a connection without a value must last to count as a success.
    package static let probation = Duration.seconds(10)

    /// The number of consecutive failures.
    package private(set) var attempts = 0
    /// Whether the connection was of use: a value has arrived, a command was answered, or it has lasted for `probation`.
    package private(set) var isProven = false
    /// Whether the first subscriptions and reads of the connection were answered.
    private var isAnswered = false
    /// Whether the gateway itself ends the connection, to make another one.
    private var isEndExpected = false
    /// The number of consecutive connections that were lost after the first answers, and before they were of use.
    private var uselessConnections = 0
    /// Why the device is not connected; nil if the device is connected or was disconnected on purpose.
    package private(set) var reason: String?
    /// Why the device is disconnected on purpose: it sent no notifications, or another device needs its slot.
    ///
    /// Nil: it is not.
    package private(set) var restCause: String?
    /// Whether the next attempt waits for the timer `retry`.
    package private(set) var isWaiting = false

    /// Schedules the next attempt after a failure, with a delay that doubles with each failure from 1 s up to `longest`.
    package mutating func failed(_ reason: String, longest: Duration) -> SessionAction {
        self.reason = reason
        attempts += 1
        isWaiting = true
        let delay = Backoff.delay(first: .seconds(1), longest: longest, afterFailures: attempts - 1)
        return .schedule(.retry, after: delay)
    }

    /// Whether the connection has passed its first accesses, and must still be of use or last for `probation`.
    package var isOnProbation: Bool { isAnswered && !isProven }

    /// Whether the device counts as available: false until the first accesses are answered, and, after a connection
    /// that was of no use, until this one is.
    package var isUsable: Bool { isProven || isAnswered && uselessConnections == 0 }

    /// Notes a new connection, which has not been of use yet.
    package mutating func connected() {
        isProven = false
        isAnswered = false
        isEndExpected = false
    }

    /// Notes that the gateway is about to end the connection, and makes another one at once.
    package mutating func expectEnd() {
        isEndExpected = true
    }

    /// Notes that the first subscriptions and reads of the connection were answered.
    package mutating func answered() {
        isAnswered = true
        if isUsable { forgetReasons() }
    }

    /// Notes that the connection is of use: the delay after the next failure is the first one again.
    package mutating func succeeded() {
        isProven = true
        uselessConnections = 0
        attempts = 0
        forgetReasons()
    }

    /// Schedules the next attempt after a loss of the connection.
    ///
    /// A device that accepts connections and drops them at once fails like a device that accepts none: the delays grow,
    /// from the second connection on if the first one was usable.
    package mutating func connectionLost(_ cause: String) -> SessionAction {
        if isProven || isEndExpected { return connectAgain(cause) }
        if isAnswered {
            uselessConnections += 1
            if uselessConnections == 1, attempts == 0 { return connectAgain(cause) }
        }
        return failed(cause, longest: Self.longestDelay)
    }

    /// Schedules the next attempt after an end of the connection that is no failure of the device.
    package mutating func connectAgain(_ cause: String) -> SessionAction {
        reason = cause
        isWaiting = true
        return .schedule(.retry, after: Self.delayAfterLoss)
    }

    /// Notes that the connection ends in favour of other devices.
    package mutating func rest(because cause: String) {
        restCause = cause
    }

    /// Notes that the connection ends on purpose, and schedules the next attempt.
    package mutating func rest(for delay: Duration, because cause: String) -> SessionAction {
        restCause = cause
        isWaiting = true
        return .schedule(.retry, after: delay)
    }

    /// Ends the wait, because the timer `retry` has fired.
    package mutating func due() {
        isWaiting = false
    }

    /// Ends the wait before its time.
    package mutating func now() -> [SessionAction] {
        guard isWaiting else { return [] }
        isWaiting = false
        return [.cancel(.retry)]
    }

    /// Sets why the device is not connected; nil: it was disconnected on purpose.
    package mutating func setReason(_ reason: String?) {
        self.reason = reason
    }

    /// Forgets why the device is not connected.
    package mutating func forgetReasons() {
        reason = nil
        restCause = nil
    }
}
