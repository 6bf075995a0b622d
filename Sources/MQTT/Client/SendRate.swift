import System

/// Limits the number of messages per second.
///
/// After a pause, the messages of a tenth of a second may be sent at once.
struct SendRate {
    /// The time between two messages, in nanoseconds.
    private let interval: Int64
    /// How early a message may be sent, in nanoseconds.
    private let earliness: Int64
    /// The time at which the next message is due if all messages are sent at equal distances.
    private var due = Instant(nanoseconds: .min / 2)

    /// - Parameter perSecond: The maximum number of messages per second, at least 1.
    init(perSecond: Int) {
        interval = 1_000_000_000 / Int64(perSecond)
        earliness = interval * Int64(max(0, perSecond / 10 - 1))
    }

    /// The earliest time of the next message.
    var nextTime: Instant { due + .nanoseconds(-earliness) }

    /// Notes that a message is sent.
    mutating func noteSent(at now: Instant) {
        due = max(due, now) + .nanoseconds(interval)
    }
}
