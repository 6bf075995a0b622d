import System

/// Limits how fast devices are adopted: a sender can invent hundreds of addresses per second.
struct AdoptionRate {
    /// The number of devices that can be adopted at once.
    private static let burst = 60
    /// The interval at which a further device can be adopted.
    private static let interval = Duration.seconds(2)

    /// When the devices that were adopted so far will have been paid for, with one device per interval; nil: none yet.
    private var debtEnd: Instant?

    /// Counts a device if it can be adopted now.
    ///
    /// - Returns: Whether the device can be adopted.
    mutating func admit(at now: Instant) -> Bool {
        let begin = max(debtEnd ?? now, now)
        guard begin - now <= Self.interval * (Self.burst - 1) else { return false }
        debtEnd = begin + Self.interval
        return true
    }
}
