package import Bluetooth

/// An event of a peripheral, for its owner.
package enum PeripheralEvent: Sendable {
    /// The peripheral was seen. The advertisement holds what bluetoothd passed on of the packet.
    case advertised(Advertisement)
    /// A subscription has ended without a request.
    case subscriptionEnded(Characteristic)
    /// The peripheral is connected, possibly by another program.
    case connected
    /// The peripheral is disconnected.
    case disconnected
    /// The reason why it is disconnected; follows `disconnected` if `reportsDisconnectReasons`.
    case disconnectReason(String)
    /// The peripheral waits for a slot of the adapter; `used` slots are in use.
    case waitingForSlot(used: Int)
    /// The peripheral has a slot and is being connected.
    case slotGranted
    /// Other peripherals wait for the slot: the connection should end soon.
    case slotRecalled
    /// The identity address of the peripheral is known: the address under which it was found is private and will change.
    case identified(Address)
    /// There is a bond with the peripheral, possibly made by another program.
    case bonded
    /// bluetoothd has lost the bond, without a request of this program.
    case bondLost
    /// The services have changed: what was discovered is not valid any more.
    case servicesInvalidated
}
