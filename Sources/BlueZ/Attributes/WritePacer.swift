import EventLoop
import System

/// Limits the rate of writes without a response to what a connection can carry.
///
/// bluetoothd replies to such writes at once and queues them without a limit. Faster writes would fill the memory of
/// bluetoothd and delay all later operations.
struct WritePacer {
    /// The number of writes that may be sent at once after a pause.
    static let burst = 8
    /// The interval between the writes after a burst: one packet per usual connection interval.
    static let interval = Duration.milliseconds(15)

    /// The estimated time when all admitted writes will have been sent over the air.
    private var sent = Instant(nanoseconds: .min)

    /// Returns when the next write may be sent, and reserves this time.
    mutating func next(at now: Instant) -> Instant {
        sent = max(sent, now) + Self.interval
        return max(now, sent + Self.interval * -Self.burst)
    }

    /// Removes the reservations of cancelled writes; up to `burst` writes may be queued at bluetoothd and stay.
    mutating func cancelPending(at now: Instant) {
        sent = min(sent, now + Self.interval * Self.burst)
    }
}
