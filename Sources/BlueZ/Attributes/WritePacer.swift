import EventLoop
import System

/// Limits the rate of writes without a response to what a connection can carry.
///
/// bluetoothd replies to them at once and queues them without a limit: faster writes would fill its memory and delay
/// everything after them.
struct WritePacer {
    /// The number of writes that may be sent at once after a pause.
    static let burst = 8
    /// The interval between further writes: one packet per usual connection interval.
    static let interval = Duration.milliseconds(15)

    /// When the writes that were admitted will have been sent over the air.
    private var sent = Instant(nanoseconds: .min)

    /// Returns when the next write may be sent.
    mutating func next(at now: Instant) -> Instant {
        sent = max(sent, now) + Self.interval
        return max(now, sent + Self.interval * -Self.burst)
    }

    /// Removes the writes that have not been sent yet: they are cancelled.
    mutating func cancelPending(at now: Instant) {
        sent = min(sent, now + Self.interval * Self.burst)
    }
}
