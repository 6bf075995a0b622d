import EventLoop

/// The disk for the readings of shared devices, as `DeviceSharing` uses it.
struct LateDisk {
    /// The time after which readings that wait are kept on the disk.
    let interval: () -> Duration
    /// Keeps messages of a publisher.
    let keep: ([HeldMessage], Publisher) -> Void
    /// Sends the messages that may be sent now, and that had to wait before.
    let resume: () -> Void
}
