import JSON
import System

/// The counters of one device since the gateway started, as published on the gateway's topic `health`.
struct DeviceHistory: Equatable, Sendable {
    private(set) var connects = 0
    private(set) var notifications = 0
    private(set) var decodeFailures = 0
    /// The number of failed or lost connections, by reason.
    private(set) var failures: [String: Int] = [:]
    /// The time of the last value or connection; nil if there was none.
    private(set) var lastSeen: Instant?

    /// The maximum number of reasons with a counter of their own; failures for further reasons are counted as `other`.
    private static let reasonLimit = 8

    /// Updates the counters after the session has handled an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - old: the phase before the event.
    ///   - new: the phase after the event.
    ///   - now: the current time.
    mutating func note(_ event: SessionEvent, from old: Session.Phase, to new: Session.Phase, at now: Instant) {
        if old != .ready && new == .ready { connects += 1 }
        switch event {
        case .obtained(_, isNotification: true): noteNotification(at: now)
        case .obtained: lastSeen = now
        case .connected: lastSeen = now
        case .connectFailed(let reason) where old == .connecting: noteFailure(reason)
        case .discoveryFailed(let reason) where old == .discovering: noteFailure(reason)
        case .pairingFailed(let reason) where old == .pairing: noteFailure(reason)
        case .bondLost(let reason) where old == .connecting: noteFailure(reason)
        case .connectionLost where [.ready, .discovering, .pairing].contains(old): noteFailure(Session.loss)
        default: break
        }
    }

    mutating func noteNotification(at now: Instant) {
        notifications += 1
        lastSeen = now
    }

    mutating func noteDecodingFailure() {
        decodeFailures += 1
    }

    private mutating func noteFailure(_ reason: String) {
        let isCounted = failures[reason] != nil || failures.count < Self.reasonLimit
        failures[isCounted ? reason : "other", default: 0] += 1
    }

    /// Returns the device's entry in the payload of the gateway's topic `health`.
    ///
    /// - Parameter lastSeen: the time of the last connection, value or advertisement; nil if there was none.
    /// - Returns: a JSON object.
    func json(lastSeen: Timestamp?) -> JSON {
        let failures = failures.sorted { $0.key < $1.key }.map { ($0.key, JSON.number(JSON.Number($0.value))) }
        return [
            "last_seen": lastSeen.map { .string($0.description) } ?? .null,
            "connects": .number(JSON.Number(connects)), "failures": .object(JSON.Object(failures)),
            "notifications": .number(JSON.Number(notifications)),
            "decode_failures": .number(JSON.Number(decodeFailures)),
        ]
    }
}
