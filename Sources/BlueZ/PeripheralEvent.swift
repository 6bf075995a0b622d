package import Bluetooth

/// What a peripheral tells whoever looks after it.
package enum PeripheralEvent: Sendable {
    /// It was heard; what the packet said, so far as bluetoothd passed it on.
    case advertised(Advertisement)
    /// A characteristic that was subscribed to tells nothing any more.
    case subscriptionEnded(Characteristic)
    /// The link is up, whoever has made it.
    case connected
    /// The link is down.
    case disconnected
    /// Why it is, which follows where `explainsDisconnects`.
    case disconnectExplained(String)
    /// It can be connected when one of the adapter's links, `used` of which are in use, is free.
    case waitingForSlot(used: Int)
    /// It waits no longer, and is being connected.
    case slotGranted
    /// Others wait for its slot: its link should end soon.
    case slotRecalled
    /// It is the one that has this identity address: the one it is known by was private, and will change.
    case identified(Address)
    /// There is a bond with it, whoever has made it.
    case bonded
    /// bluetoothd has forgotten the bond, without our doing.
    case bondLost
    /// Its services changed: what was discovered is no longer of use.
    case servicesInvalidated
}
