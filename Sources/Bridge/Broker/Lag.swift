import EventLoop
import System

/// Estimates the age of values when the gateway reads them, and the time that they then wait for the broker.
///
/// The age of a value equals the time that the bus needs to answer a call, because the bus delivers messages in order.
struct Lag {
    /// The maximum age of values when they are read, and the maximum time that they then wait for the broker.
    private static let limit = Duration.seconds(5)
    /// The age below which values are no longer too old.
    private static let relief = Duration.seconds(1)

    /// Whether too many messages wait for the broker.
    private(set) var isBrokerBehind = false
    /// Whether the age of values has reached `limit`, and has not fallen below `relief` since.
    private(set) var isTooLong = false
    /// The time of the call that the bus has not answered yet; nil if there is none.
    private var asked: Instant?
    /// The number of consecutive seconds in which the broker was too slow for the number of queued messages.
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
    ///   - waiting: the number of messages that wait for the broker now.
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

    /// Sets `isTooLong` if the bus has not answered a call for `limit`.
    mutating func update(at now: Instant) {
        if let asked, now - asked >= Self.limit { isTooLong = true }
    }
}
