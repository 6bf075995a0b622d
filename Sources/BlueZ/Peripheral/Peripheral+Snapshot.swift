package import Bluetooth
package import System

extension Peripheral {
    /// The state of a peripheral at one moment.
    package struct Snapshot: Sendable {
        /// Whether the peripheral is connected, possibly by another program.
        package let isConnected: Bool
        /// Whether bluetoothd has the keys of a bond with an adapter; nil: not known, because no adapter knows the peripheral.
        package let hasBond: Bool?
        /// The last signal strength in dBm; nil: not known.
        package let rssi: Int?
        /// When an advertisement was last received; nil: never.
        package let lastSeen: Instant?
        /// bluetoothd's name of the chosen adapter; nil: no adapter has seen the peripheral.
        package let adapterName: String?
        /// The identity address, if it differs from the peripheral's address; nil otherwise.
        package let identity: Address?
        /// Whether bluetoothd reports why a connection has ended, just after its end.
        package let reportsDisconnectReasons: Bool
    }

    /// The present state, for other actors of the loop; must be used on the loop's thread.
    package nonisolated var snapshot: Snapshot {
        assumeIsolated { peripheral in
            Snapshot(
                isConnected: peripheral.isConnected, hasBond: peripheral.hasBond, rssi: peripheral.rssi,
                lastSeen: peripheral.lastSeen, adapterName: peripheral.adapterName, identity: peripheral.identity,
                reportsDisconnectReasons: peripheral.reportsDisconnectReasons)
        }
    }
}
