package import Bluetooth

/// An event of a peripheral, for its owner.
package enum PeripheralEvent: Sendable {
    /// An advertisement of the peripheral was received; `Central.observe` reports its data.
    case advertised
    /// A subscription has ended without a request.
    case subscriptionEnded(Characteristic)
    /// The peripheral is connected, possibly by another program.
    case connected
    /// The peripheral is disconnected.
    case disconnected
    /// The peripheral is disconnected because bluetoothd, or the D-Bus, has ended.
    case serviceEnded
    /// The reason why the peripheral is disconnected; follows `disconnected` if `reportsDisconnectReasons` is true.
    case disconnectReason(DisconnectReason)
    /// The peripheral waits for a slot of the adapter; `used` slots are in use.
    case waitingForSlot(used: Int)
    /// The peripheral has a slot and waits while others are being connected; `slotGranted` follows.
    case waitingForTurn
    /// The peripheral has a slot and is being connected.
    case slotGranted
    /// The peripheral with this address waits for the slot: the connection should end soon.
    case slotRecalled(for: Address)
    /// The identity address of the peripheral is known: the address under which the peripheral was found is private and
    /// changes.
    case identified(Address)
    /// There is a bond with the peripheral, possibly made by another program.
    case bonded
    /// bluetoothd has lost the bond, without a request of this program.
    case bondLost
    /// The services have changed: the discovered services are no longer valid.
    case servicesInvalidated
}
