import System

/// The times of a device's advertisements that the gateway keeps until its next start.
struct AdvertiserMemory: Equatable {
    /// When the last advertisement was accepted; it may precede the start of the machine.
    let lastAccepted: Instant
    /// The learned interval of the advertisements; nil: none.
    let interval: Duration?
    /// Whether the device was silent for longer than tolerated.
    let isSilent: Bool
}
