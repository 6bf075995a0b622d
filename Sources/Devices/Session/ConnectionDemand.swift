package import Configuration

/// The reasons for and against a connection of one device: the configuration, the queued commands, a request to
/// disconnect, and another device that waits for the slot.
package struct ConnectionDemand: Sendable {
    /// The effect of a request to disconnect.
    private enum Dismissal: Sendable {
        case none
        /// The device may be connected again; the state ends when the gateway searches for the device.
        case untilSought
        /// The device is connected again at the next command.
        case untilWanted
        /// The device is connected again at the end of a pause, or by the command `connect`.
        case paused
    }

    private let policy: Configuration.ConnectPolicy
    /// Whether the device is managed.
    package private(set) var isStarted = false
    package private(set) var isBluetoothOn = false
    /// Whether this gateway owns the device: of all gateways that share it, only the owner connects to it.
    private var isOwner = true
    /// Why only commands connect, such as because another gateway has the bond; nil: there is no such reason.
    package private(set) var obstacle: String?
    /// The number of commands that need the connection.
    private var commands = 0
    /// Whether the connection is kept open after the last command.
    private var isHolding = false
    private var dismissal = Dismissal.none
    /// The name of the device that waits for the connection slot of this device; nil: none.
    private var beneficiary: String?

    package init(_ policy: Configuration.ConnectPolicy) {
        self.policy = policy
    }

    /// Whether the device is managed, this gateway owns it, and Bluetooth is on.
    package var isPossible: Bool { isStarted && isBluetoothOn && isOwner }

    package var hasCommands: Bool { commands > 0 }

    /// Returns whether there is a reason to be connected.
    ///
    /// - Parameter isCollecting: whether a collecting session is in progress.
    /// - Returns: whether the device must be connected, or stay connected.
    package func wantsConnection(isCollecting: Bool) -> Bool {
        guard isPossible else { return false }
        if hasCommands || isCollecting { return true }
        return !isKeptAway && (policy == .always || isHolding)
    }

    /// The device that must receive the connection slot of this device; nil if there is none, or while a command needs
    /// the connection.
    package var slotBeneficiary: String? { hasCommands ? nil : beneficiary }

    /// Whether a request, or the bond of another gateway, keeps the device disconnected.
    package var isKeptAway: Bool { obstacle != nil || isDismissedForLong }

    private var isDismissedForLong: Bool { dismissal == .untilWanted || dismissal == .paused }

    /// Whether a request keeps the device disconnected for a pause.
    package var isPaused: Bool { dismissal == .paused }

    /// Whether the device was disconnected by a request, and the gateway has not searched for the device since.
    package var isDismissed: Bool { dismissal != .none }

    package mutating func start() {
        isStarted = true
    }

    package mutating func stop() {
        isStarted = false
    }

    /// Returns whether Bluetooth was on before.
    package mutating func bluetoothChanged(isOn: Bool) -> Bool {
        defer { isBluetoothOn = isOn }
        return isBluetoothOn
    }

    /// Returns whether this gateway owned the device before.
    package mutating func ownershipChanged(isOwner: Bool) -> Bool {
        defer { self.isOwner = isOwner }
        return self.isOwner
    }

    /// Returns whether only commands connected before.
    package mutating func block(because reason: String?) -> Bool {
        defer { obstacle = reason }
        return obstacle != nil
    }

    // MARK: Commands

    package mutating func commandQueued() {
        commands += 1
        isHolding = false
    }

    /// Notes that a command was answered; returns whether it was the last one.
    package mutating func commandFinished() -> Bool {
        commands -= 1
        return commands == 0
    }

    /// Keeps the connection open after the last command.
    package mutating func hold() {
        isHolding = true
    }

    package mutating func endHold() {
        isHolding = false
    }

    // MARK: Requests to disconnect

    /// Notes a request to disconnect.
    ///
    /// Without a pause, a device with periodic sessions is connected again at its next session.
    package mutating func dismiss(isPause: Bool) {
        dismissal = isPause ? .paused : policy == .always ? .untilWanted : .untilSought
        isHolding = false
    }

    /// Allows to connect the device again.
    package mutating func endDismissal() {
        if isDismissedForLong { dismissal = .untilSought }
    }

    /// Notes that the gateway searches for the device.
    package mutating func sought() {
        if dismissal == .untilSought { dismissal = .none }
    }

    // MARK: The connection slot

    /// Notes which device waits for the connection slot; nil: none.
    package mutating func slotRecalled(for device: String?) {
        beneficiary = device
    }
}
