/// The state of a peripheral's connection, and the numbers of earlier connections.
struct ConnectionRecord {
    private(set) var isConnected = false
    private(set) var areServicesResolved = false
    /// The number of connections so far.
    private(set) var count = 0
    /// The number of consecutive connections that ended before Connect succeeded.
    private var futileCount = 0
    /// The agent's capability when the connection was requested; nil: there was no agent, or another program connected.
    private(set) var agentCapability: AgentCapability?

    /// The value of `futileCount` that shows the loss of a bond: most of the attempts of two bursts.
    ///
    /// At the edge of the range, connections are also lost immediately, but less often.
    private static let mostFutile = 6

    mutating func setResolved(_ areResolved: Bool) {
        areServicesResolved = areResolved
    }

    mutating func connected() {
        isConnected = true
        count += 1
    }

    mutating func disconnected() {
        isConnected = false
    }

    /// Resets the properties of the connection that has ended.
    mutating func reset() {
        agentCapability = nil
        areServicesResolved = false
    }

    mutating func begins(with capability: AgentCapability?) {
        agentCapability = capability
    }

    /// Notes that a connection is usable.
    mutating func succeeded() {
        futileCount = 0
    }

    /// Returns whether a failed connect shows that the peripheral has lost the keys of the bond.
    ///
    /// bluetoothd encrypts the connection with a bonded peripheral at once. If the peripheral has lost the keys, each
    /// connection is made and lost again, and with bluetoothd up to 5.82, Connect fails with a general error.
    mutating func showsBondLoss(_ error: CentralError, connectionsBefore: Int, isBonded: Bool) -> Bool {
        let connections = count - connectionsBefore
        guard isBonded, connections > 0, error.code == .connectionFailed else {
            if error.code != .bondLost { futileCount = 0 }
            return false
        }
        futileCount += connections
        guard futileCount >= Self.mostFutile else { return false }
        futileCount = 0
        return true
    }
}
