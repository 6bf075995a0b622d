package import System

/// The times and the packet counters of a device's advertisements that the gateway keeps until its next start.
///
/// A device that is connected periodically has one while it is unavailable: `lastAccepted` is then the time of its last
/// complete session.
package struct AdvertiserMemory: Equatable {
    /// When the last advertisement was accepted; it may precede the start of the machine.
    package let lastAccepted: Instant
    /// The learned interval of the advertisements; nil: none.
    package let interval: Duration?
    /// Whether the device was silent for longer than tolerated.
    package let isSilent: Bool
    /// The counters of the last encrypted packets, by the name of the format; packets with lower ones are replayed.
    package var counters: [String: UInt64] = [:]
    /// When a counter last began at a low number, as after a change of the batteries, by the name of the format.
    package var restarts: [String: Instant] = [:]

    package init(
        lastAccepted: Instant, interval: Duration?, isSilent: Bool, counters: [String: UInt64] = [:],
        restarts: [String: Instant] = [:]
    ) {
        self.lastAccepted = lastAccepted
        self.interval = interval
        self.isSilent = isSilent
        self.counters = counters
        self.restarts = restarts
    }
}
