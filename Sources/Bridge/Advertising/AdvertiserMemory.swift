import System

/// The times and the packet counters of a device's advertisements that the gateway keeps until its next start.
///
/// A device that is connected periodically has one while it is unavailable: `lastAccepted` is then the time of its last
/// complete session.
struct AdvertiserMemory: Equatable {
    /// When the last advertisement was accepted; it may precede the start of the machine.
    let lastAccepted: Instant
    /// The learned interval of the advertisements; nil: none.
    let interval: Duration?
    /// Whether the device was silent for longer than tolerated.
    let isSilent: Bool
    /// The counters of the last encrypted packets, by the name of the format; packets with lower ones are replayed.
    var counters: [String: UInt64] = [:]
    /// When a counter last began at a low number, as after a change of the batteries, by the name of the format.
    var restarts: [String: Instant] = [:]
}
