import Bluetooth
import System

/// The data that bluetoothd has reported or an earlier run has stored about a peripheral.
struct PeripheralFacts {
    private(set) var name: String?
    /// The last signal strength in dBm; nil: not known.
    ///
    /// bluetoothd does not report it during a connection.
    private(set) var rssi: Int?
    private(set) var lastSeen: Instant?
    private(set) var addressKind = AddressKind.public
    /// The kind of Bluetooth that bluetoothd tries first, if the peripheral supports both; nil: not reported.
    private(set) var preferredBearer: String?
    /// The identity address, if it differs from the address of the `Peripheral`; nil otherwise.
    private(set) var identity: Address?

    mutating func update(_ properties: DeviceProperties) {
        if let name = properties.name { self.name = name }
        if let bearer = properties.preferredBearer { preferredBearer = bearer }
        if let kind = properties.addressKind { addressKind = kind }
    }

    mutating func seen(_ advertisement: Advertisement, at now: Instant) {
        if let rssi = advertisement.rssi { self.rssi = rssi }
        lastSeen = now
    }

    /// Uses the signal strength at the new adapter; nil: not known, the old value stays.
    mutating func routeChanged(_ rssi: Int?) {
        self.rssi = rssi ?? self.rssi
    }

    mutating func identified(as address: Address) {
        identity = address
    }

    mutating func restore(name: String?, identity: Address?) {
        self.name = name
        self.identity = identity
    }

    mutating func restore(lastSeen: Instant) {
        self.lastSeen = lastSeen
    }
}

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
