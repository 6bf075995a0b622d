package import Contract
package import System

/// The counters of one device since the gateway started, as published on the gateway's topic `health`.
package struct DeviceHistory: Equatable, Sendable {
    package typealias Failure = DeviceHealth.Failure

    package private(set) var connects = 0
    package private(set) var notifications = 0
    package private(set) var decodeFailures = 0
    /// The number of failed or lost connections, by kind.
    package private(set) var failures: [Failure: Int] = [:]
    /// The time of the last value or connection; nil if there was none.
    package private(set) var lastSeen: Instant?

    package init() {}

    /// Updates the counters after the session has handled an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - old: the phase before the event.
    ///   - new: the phase after the event.
    ///   - now: the current time.
    package mutating func note(_ event: SessionEvent, from old: Session.Phase, to new: Session.Phase, at now: Instant) {
        if old != .ready && new == .ready { connects += 1 }
        switch event {
        case .obtained(_, isNotification: true): noteNotification(at: now)
        case .obtained, .answered: lastSeen = now
        case .connected: lastSeen = now
        case .connectFailed where old == .connecting: noteFailure(.connect)
        case .discoveryFailed where old == .discovering: noteFailure(.discovery)
        case .pairingFailed where old == .pairing: noteFailure(.pairing)
        case .passkeyUnused where old == .pairing: noteFailure(.pairing)
        case .bondLost where old == .connecting: noteFailure(.bondLost)
        case .connectionLost where Self.isOpen(old), .serviceEnded where Self.isOpen(old): noteFailure(.connectionLost)
        default: break
        }
    }

    private static func isOpen(_ phase: Session.Phase) -> Bool { [.ready, .discovering, .pairing].contains(phase) }

    package mutating func noteNotification(at now: Instant) {
        notifications += 1
        lastSeen = now
    }

    package mutating func noteDecodingFailure() {
        decodeFailures += 1
    }

    private mutating func noteFailure(_ failure: Failure) {
        failures[failure, default: 0] += 1
    }

    /// Returns the device's entry in the payload of the gateway's topic `health`.
    ///
    /// - Parameter lastSeen: the time of the last connection, value or advertisement; nil if there was none.
    /// - Returns: The entry, without the members that are not counted here.
    package func health(lastSeen: Timestamp?) -> DeviceHealth {
        DeviceHealth(
            lastSeen: lastSeen, connects: connects, failures: failures, notifications: notifications,
            decodeFailures: decodeFailures)
    }
}
