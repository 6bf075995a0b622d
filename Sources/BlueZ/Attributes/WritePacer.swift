internal import EventLoop

/// Keeps writes without a response at the pace of the air.
///
/// bluetoothd answers them at once and queues them without a limit: whoever writes faster than the link carries would
/// fill its memory, and everything after them would wait.
struct WritePacer {
    /// As many as go at once after a pause.
    static let burst = 8
    /// From then on, one in this time: a packet in each of a link's usual intervals.
    static let interval = Duration.milliseconds(15)

    /// When the writes that have been let through will be on the air.
    private var carried = Instant(nanoseconds: .min)

    /// When the next write may go out.
    mutating func next(at now: Instant) -> Instant {
        carried = max(carried, now) + Self.interval
        return max(now, carried + Self.interval * -Self.burst)
    }

    /// The writes that have not gone out by now never will.
    mutating func giveUp(at now: Instant) {
        carried = min(carried, now + Self.interval * Self.burst)
    }
}
