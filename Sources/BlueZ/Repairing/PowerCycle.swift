internal import EventLoop

/// A power cycle that is not over: an adapter is being switched off here, or has been and is not on again.
struct PowerCycle {
    /// How long after it was asked to bluetoothd may still switch the adapter off: a call that is not answered is not
    /// taken back.
    static let patience = Duration.seconds(120)

    /// When it was asked to switch the adapter off.
    let start: Instant
    /// Whether the adapter is off because of it.
    var isOff = false
    /// Whether somebody is about to switch it on again.
    var isEnding = false
}
