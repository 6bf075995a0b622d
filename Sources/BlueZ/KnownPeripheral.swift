package import Bluetooth
package import EventLoop

/// What is worth remembering of a peripheral from one run of the program to the next.
package struct KnownPeripheral: Hashable, Sendable {
    /// The address by which it is known here.
    package let address: Address
    /// Its identity address, where that is another one.
    package let identity: Address?
    /// The adapter that heard or held it last.
    package let adapter: Address?
    /// The name it gave last.
    package let name: String?
    package let lastHeard: Timestamp?
    /// Whether its link was up; bluetoothd keeps links of programs that have crashed.
    package let isConnected: Bool

    package init(
        address: Address, identity: Address? = nil, adapter: Address?, name: String?, lastHeard: Timestamp?,
        isConnected: Bool
    ) {
        self.address = address
        self.identity = identity
        self.adapter = adapter
        self.name = name
        self.lastHeard = lastHeard
        self.isConnected = isConnected
    }
}
