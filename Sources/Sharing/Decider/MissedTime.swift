import System

/// The time in which this gateway missed the messages of the fleet, and the gateways that ran in that time.
///
/// A gateway that returns may decide next. If a gateway that ran in that time is gone, it may have carried out requests that
/// no other gateway remembers.
struct MissedTime: Sendable {
    /// The gateways that the last decisions before the end acknowledged.
    private var witnesses: Set<String> = []
    private var end: Instant?

    /// Notes that the gateway misses messages now.
    mutating func note(_ gateways: Set<String>, at now: Instant) {
        witnesses.formUnion(gateways)
        end = now
    }

    /// Handles that a decider has confirmed the gateway: from now on, the decider knows what the gateway has missed.
    mutating func confirmed() {
        (witnesses, end) = ([], nil)
    }

    /// Returns the end of the time if a gateway that ran in it is gone; nil: all of them run, or no message was missed.
    func end(ifGone isGone: (String) -> Bool) -> Instant? {
        witnesses.contains(where: isGone) ? end : nil
    }
}
