/// Whether Bluetooth can be used.
///
/// The counterpart of Core Bluetooth's `CBManagerState`.
package enum ManagerState: String, Sendable {
    /// The state is not known yet.
    case unknown
    /// The bus or bluetoothd is not available, does not respond, or has just started.
    case resetting
    /// There is no adapter that can be a central.
    case unsupported
    /// The bus rejects calls to bluetoothd.
    case unauthorized
    case poweredOff
    case poweredOn
}

/// The state of Bluetooth with its reason, and the handlers to call when it changes.
struct ManagerStatus {
    private(set) var state = ManagerState.unknown
    /// The reason, as a text for the user.
    private(set) var reason = "not started"
    /// The number of connections that ended when bluetoothd, or the bus, was last lost.
    private(set) var lostConnectionCount = 0
    private var handlers: [(ManagerState, String) -> Void] = []

    mutating func onChange(_ handler: @escaping (ManagerState, String) -> Void) {
        handlers.append(handler)
    }

    mutating func connectionsLost(_ count: Int) {
        lostConnectionCount = count
    }

    /// Sets the state and the reason.
    ///
    /// - Returns: The handlers to call; none if nothing has changed.
    mutating func set(_ state: ManagerState, _ reason: String) -> [(ManagerState, String) -> Void] {
        guard state != self.state || reason != self.reason else { return [] }
        self.state = state
        self.reason = reason
        return handlers
    }
}
