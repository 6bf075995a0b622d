import EventLoop
import System

/// Judges how old values are when the gateway reads them, and how long they then wait for the broker.
///
/// The age of what is read now is the time that the bus takes to answer a call, since the bus answers calls in order.
struct Lag {
    /// The greatest age of values when they are read; they may wait for the broker as long again.
    private static let limit = Duration.seconds(5)
    /// The age below which values are new enough after they were too old.
    private static let relief = Duration.seconds(1)

    /// Whether too many messages wait for the broker.
    private(set) var isBrokerBehind = false
    /// Whether values are too old when they are read, and have not become new enough since.
    private(set) var isTooLong = false
    /// The time of the call that the bus has not answered yet.
    private var asked: Instant?
    /// The number of seconds in a row in which the broker was too slow for its queue.
    private var slowSeconds = 0

    /// Whether the broker has been too slow for at least `limit`.
    var isBrokerSlow: Bool { .seconds(slowSeconds) >= Self.limit }

    mutating func brokerFellBehind() {
        isBrokerBehind = true
    }

    mutating func brokerCaughtUp() {
        isBrokerBehind = false
    }

    /// Updates the speed of the broker after each second.
    ///
    /// - Parameters:
    ///   - sent: the number of messages that the broker accepted in this second.
    ///   - waiting: the number of messages that wait for it now.
    mutating func secondPassed(sent: Int, waiting: Int) {
        // A broker that accepted no message does not count as slow: it may continue at full speed.
        let isSlow = isBrokerBehind && sent > 0 && .seconds(waiting) / sent > Self.limit
        slowSeconds = isSlow ? slowSeconds + 1 : 0
    }

    /// - Returns: Whether to call the bus now: false while a call is under way.
    mutating func ask(at now: Instant) -> Bool {
        guard asked == nil else { return false }
        asked = now
        return true
    }

    /// Notes that the bus has answered.
    ///
    /// - Returns: Whether to call the bus again now.
    mutating func answered(at now: Instant) -> Bool {
        update(at: now)
        if let asked, now - asked < Self.relief { isTooLong = false }
        asked = isTooLong ? now : nil
        return isTooLong
    }

    /// Checks for how long the bus has not answered.
    mutating func update(at now: Instant) {
        if let asked, now - asked >= Self.limit { isTooLong = true }
    }
}
