/// An event that a session handles.
package enum SessionEvent: Equatable, Sendable {
    /// The number of periodic devices that start together, this one included: before `started`.
    case startsAmong(Int)
    /// The device is managed from now on.
    case started
    /// Bluetooth has become available or unavailable.
    case bluetoothChanged(isOn: Bool)
    /// This gateway has become the owner of the device, or another gateway has.
    case ownershipChanged(isOwner: Bool)
    /// Why the gateway must not connect by itself, such as because another gateway has the bond; nil: it may.
    case blocked(because: String?)
    /// A command will need the connection: it must be kept for this time.
    case connectionRequested(for: Duration)
    /// The device can be connected: it was seen, or it is connected already.
    case found
    /// The device cannot be connected even if it is seen.
    case obstructed(reason: String)
    case connected
    case connectFailed(reason: String)
    /// The connection failed because the device has lost the keys of the bond.
    case bondLost(reason: String)
    /// The device is bonded.
    case paired
    case pairingFailed(reason: String)
    /// A bond was made, but the device never asked for the configured passkey.
    case passkeyUnused(reason: String)
    /// The device refused access to a characteristic for lack of a sufficient bond.
    case bondRefused(String)
    /// The services were discovered; `present` contains the configured characteristics that the device has.
    case discovered(present: Set<String>)
    case discoveryFailed(reason: String)
    /// The subscription to a characteristic is in place.
    case subscribed(String)
    /// A subscription failed or ended.
    ///
    /// - Parameters:
    ///   - isFinal: whether another attempt on this connection cannot succeed.
    ///   - isAnswer: whether the device itself has refused the subscription.
    case subscribeFailed(String, isFinal: Bool, isAnswer: Bool = false, reason: String)
    /// A value of a characteristic was notified or read.
    case obtained(String, isNotification: Bool)
    /// A question was answered.
    case answered(String)
    /// A question had no answer, or was not asked because its condition is false.
    case unanswered(String)
    /// The records of a history are being received: a collecting session may take this long from now on.
    case prolonged(Duration)
    /// The login was refused, or not answered.
    case loginRefused(reason: String)
    /// A read failed; `refusal` is nil if the value was read but does not fit its format.
    case readFailed(String, refusal: String? = nil)
    /// The device lacks a discovered characteristic: bluetoothd's cache of the device's services is out of date.
    case staleServices(String)
    /// The connection ended, and the gateway did not cause it.
    case connectionLost
    /// The connection ended because bluetoothd, or the D-Bus, has ended.
    case serviceEnded
    /// The gateway ends the connection, because a pairing needs a new one.
    case endsForPairing
    /// An operation received no answer: the connection is up but not usable.
    case connectionStuck(reason: String)
    /// The reason for the last loss.
    case lossExplained(String)
    /// All connections of the adapter are in use.
    case waitingForSlot
    /// The device has received a connection slot.
    case slotGranted
    /// Another device waits for the connection slot; the value is its name.
    case slotRecalled(for: String)
    /// The services changed while the device was connected.
    case servicesChanged
    /// The subscriptions are cancelled and the connection is down.
    case ended
    case timerFired(SessionTimer)
    /// A command that needs the connection was queued.
    case commandQueued
    /// A queued command was answered.
    case commandFinished
    /// A collecting session must begin, unless one is in progress.
    case collectRequested
    /// The device must be disconnected; without a pause, the next command or session connects the device again.
    case disconnectRequested(pause: Duration?)
    /// The device is no longer managed.
    case stopped
}

/// The timers of a session.
package enum SessionTimer: Hashable, Sendable {
    /// The start of the next collecting session.
    case due
    /// The time limit of a collecting session.
    case within
    /// The end of the time `hold` after the last command.
    case hold
    /// The end of the time `quiet` without a notification.
    case quiet
    /// The next attempt after a failure.
    case retry
    /// The time after which a connection counts as a success, although no value has arrived.
    case probation
    /// The end of a pause.
    case pause
    /// The next read of a characteristic.
    case read(String)
    /// The next attempt to subscribe to a characteristic, or the end of the probation of a subscription that has failed
    /// before.
    case subscribe(String)
}
