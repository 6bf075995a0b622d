package import Bluetooth
import Configuration
import Contract
import System

/// The read-only view of a session for its owner.
extension Session {
    package enum Phase: Equatable, Sendable {
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
    package enum State: Sendable {
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

    /// The reason that is published for a loss of the connection that the gateway has not caused.
    package static let loss = ConnectionStatus.linkLost
    /// The reason for the end of all connections when bluetoothd ends.
    package static let serviceEnd = "bluetoothd has stopped"

    package var phase: Phase {
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

    package var isReady: Bool {
        if case .ready = state { true } else { false }
    }

    /// Whether the connection is ready and has proved to work: the device has answered the first subscriptions and reads.
    package var isUsable: Bool { isReady && retry.isUsable }

    /// The configured characteristics that the device has; nil if the connection is not ready.
    package var present: Set<String>? {
        if case .ready(let present) = state { present } else { nil }
    }

    /// Returns whether the connection is ready and the device has the characteristic.
    package func isPresent(_ name: String) -> Bool {
        if case .ready(let present) = state { present.contains(name) } else { false }
    }

    /// The characteristics whose values a collecting session still needs; nil if no collecting session is in progress.
    package var missing: Set<String>? { values.missing }

    /// Whether the device is managed.
    package var isStarted: Bool { demand.isStarted }

    package var isBluetoothOn: Bool { demand.isBluetoothOn }

    /// Whether there is a reason to be connected.
    package var wantsConnection: Bool { demand.wantsConnection(isCollecting: values.isCollecting) }

    /// Whether a request keeps the device disconnected for a pause.
    package var isPaused: Bool { demand.isPaused }

    /// The number of consecutive failures.
    package var attempts: Int { retry.attempts }

    /// Why the device is not connected; nil if the device is connected or was disconnected on purpose.
    package var reason: String? { retry.reason ?? (phase == .idle ? obstacle : nil) }

    /// Why only commands connect, such as because another gateway has the bond; nil: there is no such reason.
    package var obstacle: String? { demand.obstacle }

    /// Whether the device is disconnected on purpose.
    ///
    /// False while the gateway searches for a device that was disconnected in favour of other devices or because it
    /// sent no notifications: the device may be out of range by now.
    package var isAsleep: Bool {
        demand.isPossible && reason == nil && (!wantsConnection || isResting && phase != .seeking)
    }

    /// Whether the device waits for a connection slot because all connections of the adapter are in use.
    package var isWaitingForSlot: Bool {
        if case .connecting(isQueued: true) = state { true } else { false }
    }

    /// Whether the next attempt to connect is delayed.
    package var isWaiting: Bool { phase == .idle && wantsConnection }

    /// Whether the device is disconnected because it sent no notifications, or because another device needs its slot.
    package var isResting: Bool { retry.restCause != nil }

    /// Why the device is not connected; nil if there is no reason to be connected.
    package var explanation: String? {
        reason ?? retry.restCause ?? (demand.isDismissed ? ConnectionStatus.onRequest : nil)
    }

    /// The priority of the device among the devices that wait for a connection slot.
    package var priority: ConnectionPriority {
        if demand.hasCommands { return .command }
        return values.isCollecting ? .session : .background
    }

    /// Whether an invalid bond may be replaced: with `pair: true`, once until the new bond has been confirmed.
    package var mayRenewBond: Bool { bond.mayRenew }

    /// Returns whether to repeat a refused access, which may have begun before the bond was made.
    package func mayTryAgain(_ name: String) -> Bool { bond.mayTryAgain(name) }
}
