package import Bluetooth
import EventLoop
package import System

/// The facts about a peripheral that one run of the program stores for the next.
package struct KnownPeripheral: Hashable, Sendable {
    /// The address under which the program knows it.
    package let address: Address
    /// Its identity address, if that is another one.
    package let identity: Address?
    /// The adapter that last saw it or was connected to it.
    package let adapter: Address?
    /// Its last name.
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
