internal import EventLoop
internal import JSON

/// What has become of a device since the gateway started, for those who look for the reason of something.
struct DeviceHistory: Equatable, Sendable {
    private(set) var connects = 0
    private(set) var notifications = 0
    private(set) var decodeFailures = 0
    /// How often what went wrong with its links.
    private(set) var failures: [String: Int] = [:]
    /// When a value came, or a link.
    private(set) var lastHeard: Instant?

    /// So many causes are told apart.
    private static let mostCauses = 8

    /// The session has taken an event in, which led it from one phase to another.
    mutating func note(_ event: SessionEvent, from old: Session.Phase, to new: Session.Phase, at now: Instant) {
        if old != .ready && new == .ready { connects += 1 }
        switch event {
        case .obtained(_, isNotification: true): notified(at: now)
        case .obtained: lastHeard = now
        case .connected: lastHeard = now
        case .connectFailed(let reason) where old == .connecting: failed(reason)
        case .discoveryFailed(let reason) where old == .discovering: failed(reason)
        case .pairingFailed(let reason) where old == .pairing: failed(reason)
        case .bondLost(let reason) where old == .connecting: failed(reason)
        case .linkLost where [.ready, .discovering, .pairing].contains(old): failed(Session.loss)
        default: break
        }
    }

    /// A value came by itself.
    mutating func notified(at now: Instant) {
        notifications += 1
        lastHeard = now
    }

    mutating func decodeFailed() {
        decodeFailures += 1
    }

    private mutating func failed(_ reason: String) {
        let isKnown = failures[reason] != nil || failures.count < Self.mostCauses
        failures[isKnown ? reason : "other", default: 0] += 1
    }

    /// As the gateway's health tells it.
    ///
    /// - Parameter lastSeen: when the device was last heard, by a value or by an advertisement.
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
