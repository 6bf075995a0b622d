/// What happens to a session.
enum SessionEvent: Equatable, Sendable {
    /// The device is looked after from now on.
    case started
    /// Bluetooth can be used, or no longer.
    case bluetoothChanged(isOn: Bool)
    /// The device can be connected to: it was heard, or its link is up already.
    case found
    /// Something keeps the device from being connected, however well it is heard.
    case obstructed(reason: String)
    case connected
    case connectFailed(reason: String)
    /// The link is not to be made: the device does not know the keys of the bond any more.
    case bondLost(reason: String)
    /// There is a bond.
    case paired
    case pairingFailed(reason: String)
    /// A characteristic was refused for want of a bond that is good for it.
    case bondRefused(String)
    /// The configured characteristics that the device has were looked up.
    case discovered(present: Set<String>)
    case discoveryFailed(reason: String)
    case subscribeFailed(String, isFinal: Bool)
    /// A value of a characteristic arrived, by itself or by a read.
    case obtained(String, isNotification: Bool)
    case readFailed(String)
    /// The device does not know a characteristic that it should have: what is known of its services is out of date.
    case staleServices(String)
    /// The link went down without our doing.
    case linkLost
    /// The link is up, and an operation on it was never answered: nothing more is to be had of it.
    case linkStuck(reason: String)
    /// Why it did.
    case lossExplained(String)
    /// The link has to wait until another one of the adapter's is free.
    case waitingForSlot
    /// The wait for a slot is over.
    case slotGranted
    /// Others wait for the slot.
    case slotRecalled
    /// The services changed in mid-connection.
    case servicesChanged
    /// The subscriptions are cancelled and the link is down.
    case ended
    case timerFired(SessionTimer)
    /// A command needs the link.
    case demanded
    /// A command that needed the link is done with.
    case demandEnded
    /// One value of everything is wanted now.
    case collectRequested
    /// The device is to be let go, and left alone: for a while, or until it is wanted again.
    case letGo(pause: Duration?)
    /// The device is no longer looked after.
    case stopped
}

/// The times that a session keeps.
enum SessionTimer: Hashable, Sendable {
    /// The next collecting session.
    case due
    /// The end of what a collecting session may take.
    case within
    /// The end of the hold after a command.
    case hold
    /// The end of the patience with a silent device.
    case quiet
    /// The next attempt after a failed one.
    case retry
    /// The end of the time for which it is left alone.
    case pause
    /// The next read of a characteristic.
    case read(String)
    /// The next attempt at a subscription that failed.
    case subscribe(String)
}
