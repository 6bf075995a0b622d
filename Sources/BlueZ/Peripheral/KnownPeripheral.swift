package import Bluetooth
import EventLoop
package import System

/// The data about a peripheral that the program stores for its next run.
package struct KnownPeripheral: Hashable, Sendable {
    /// The address by which the program identifies the peripheral.
    package let address: Address
    /// The identity address of the peripheral, if it differs from `address`; nil otherwise.
    package let identity: Address?
    /// The address of the adapter that last saw the peripheral or was connected to it; nil: not known.
    package let adapter: Address?
    /// The name that the peripheral last reported; nil: not known.
    package let name: String?
    package let lastSeen: Timestamp?
    /// Whether the peripheral was connected when its state was stored.
    ///
    /// bluetoothd keeps the connections of programs that have crashed.
    package let isConnected: Bool

    package init(
        address: Address, identity: Address? = nil, adapter: Address?, name: String?, lastSeen: Timestamp?,
        isConnected: Bool
    ) {
        self.address = address
        self.identity = identity
        self.adapter = adapter
        self.name = name
        self.lastSeen = lastSeen
        self.isConnected = isConnected
    }
}

extension Peripheral {
    /// Returns the data that the next run of the program needs.
    func known(adapter: Address?) -> KnownPeripheral {
        let now = loop.timestamp
        // A connected peripheral counts as seen now.
        let age = isConnected ? .zero : lastSeen.map { loop.now - $0 }
        return KnownPeripheral(
            address: address, identity: identity, adapter: adapter, name: name,
            lastSeen: age.map { Timestamp(milliseconds: now.milliseconds - $0.nanoseconds / 1_000_000) },
            isConnected: isConnected)
    }
}
