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

    /// Notes an advertisement; `rssi` is nil if bluetoothd does not report the signal strength.
    mutating func seen(_ rssi: Int?, at now: Instant) {
        self.rssi = rssi ?? self.rssi
        lastSeen = now
    }

    /// Uses the signal strength at the new adapter; nil: not known, the old value stays.
    mutating func routeChanged(_ rssi: Int?) {
        self.rssi = rssi ?? self.rssi
    }

    mutating func identified(as address: Address) {
        identity = address
    }

    /// Restores the data of an earlier run.
    mutating func restore(_ known: KnownPeripheral, at now: Instant, _ time: Timestamp) {
        name = known.name
        identity = known.identity
        // The clock was or is wrong if the time is in the future.
        guard let lastSeen = known.lastSeen, lastSeen <= time else { return }
        self.lastSeen = now + .milliseconds(lastSeen.milliseconds - time.milliseconds)
    }
}
