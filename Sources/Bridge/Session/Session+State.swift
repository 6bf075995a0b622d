import BlueZ
import Configuration
import System

/// The read-only view of a session for its owner.
extension Session {
    enum Phase: Equatable, Sendable {
        /// There is no connection, and none is being made.
        case idle
        /// Waiting for an advertisement of the device.
        case seeking
        case connecting
        /// The connection is up, and a bond is being made.
        case pairing
        case discovering
        /// The connection is up and ready for use.
        case ready
        /// The subscriptions and the connection are being cancelled.
        case ending
    }

    /// The phase of the session, with the data that exists only in this phase.
    enum State: Sendable {
        case idle
        case seeking
        /// - Parameter isQueued: whether the device waits for a connection slot.
        case connecting(isQueued: Bool)
        case pairing
        /// - Parameter isOutdated: whether the services have changed since the discovery began.
        case discovering(isOutdated: Bool)
        /// - Parameter present: the configured characteristics that the device has.
        case ready(present: Set<String>)
        case ending
    }

    /// The effect of a request to disconnect.
    enum Dismissal: Sendable {
        case none
        /// The device may be connected again; the state ends when the gateway searches for the device.
        case untilSought
        /// The device is connected again at the next command.
        case untilWanted
        /// The device is connected again at the end of a pause, or by the command `connect`.
        case paused
    }

    var phase: Phase {
        switch state {
        case .idle: .idle
        case .seeking: .seeking
        case .connecting: .connecting
        case .pairing: .pairing
        case .discovering: .discovering
        case .ready: .ready
        case .ending: .ending
        }
    }

    var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    /// Returns whether the connection is ready and the device has the characteristic.
    func isPresent(_ name: String) -> Bool {
        if case .ready(let present) = state { present.contains(name) } else { false }
    }

    /// Whether a notified value changes nothing in the session.
    var expectsNothing: Bool {
        isReady && plan.quiet == nil && missing == nil && cache.isFresh
    }

    /// Whether there is a reason to be connected.
    var wantsConnection: Bool {
        guard isStarted && isBluetoothOn else { return false }
        if commands > 0 || missing != nil { return true }
        return !isKeptAway && (plan.connect == .always || isHolding)
    }

    /// Whether a request keeps the device disconnected.
    var isKeptAway: Bool { dismissal == .untilWanted || dismissal == .paused }

    /// Whether a request keeps the device disconnected for a pause.
    var isPaused: Bool { dismissal == .paused }

    /// Whether the device is disconnected on purpose.
    ///
    /// False while the gateway searches for a device that was disconnected in favour of other devices or because it
    /// sent no notifications: the device may be out of range by now.
    var isAsleep: Bool {
        isStarted && isBluetoothOn && reason == nil && (!wantsConnection || isResting && phase != .seeking)
    }

    /// Whether the device waits for a connection slot because all connections of the adapter are in use.
    var isWaitingForSlot: Bool {
        if case .connecting(isQueued: true) = state { true } else { false }
    }

    /// Whether the next attempt to connect is delayed.
    var isWaiting: Bool { phase == .idle && wantsConnection }

    /// Whether the device is disconnected because it sent no notifications, or because another device needs its slot.
    var isResting: Bool { restCause != nil }

    /// Why the device is not connected; nil if there is no reason to be connected.
    var explanation: String? { reason ?? restCause ?? (dismissal == .none ? nil : "on request") }

    /// The priority of the device among the devices that wait for a connection slot.
    var priority: ConnectionPriority {
        if commands > 0 { return .command }
        return missing != nil ? .session : .background
    }

    var isPeriodic: Bool {
        if case .every(_) = plan.connect { true } else { false }
    }

    /// The names of the characteristics to read on a ready connection.
    ///
    /// The list contains the due reads, and the values that a collecting session needs and no subscription delivers.
    var dueNow: [String] {
        let subscribed = Set(plan.subscribed)
        var names = plan.reads.filter { $0.policy == .onConnect || dueReads.contains($0.name) }.map(\.name)
        for name in (missing ?? []).sorted() where !names.contains(name) && !subscribed.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Whether an invalid bond may be replaced: with `pair: true`, once until the new bond has been confirmed.
    var mayRenewBond: Bool { bond.mayRenew }

    /// Returns whether to repeat a refused access, which may have begun before the bond was made.
    func mayTryAgain(_ name: String) -> Bool { bond.mayTryAgain(name) }
}
