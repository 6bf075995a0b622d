import System

/// Decides when a busy loop collects events and handles them together: a wake-up costs more than handling a message.
///
/// Network drivers moderate their interrupts in the same way. Single events and responses to requests of this process
/// are handled at once. Timers are delayed too, by `pause` at most.
struct Moderation {
    /// The time for which events are collected; zero: events are not collected.
    var pause: Duration {
        didSet { pauseLength = pause.nanoseconds }
    }
    private var pauseLength: Int64
    private var isBusy = false
    private var lastArrival = Instant(nanoseconds: .min / 2)
    private var answerDeadline = Instant(nanoseconds: .min)

    init(pause: Duration = .zero) {
        self.pause = pause
        pauseLength = pause.nanoseconds
    }

    /// Notes that events ended a wait: the loop is busy if less than `pause` has passed since the previous events.
    mutating func arrived(at now: Instant) {
        isBusy = now.nanoseconds(since: lastArrival) < pauseLength
        lastArrival = now
    }

    /// Notes the end of a pause: the loop stays busy only if events arrived during the pause.
    mutating func collected(_ hasEvents: Bool, at now: Instant) {
        isBusy = hasEvents
        if hasEvents { lastArrival = now }
    }

    /// Suspends batching until `moment`, because a response is expected before then.
    mutating func expectAnswer(until moment: Instant) {
        answerDeadline = max(answerDeadline, moment)
    }

    /// Returns whether events are collected at `now`.
    func isBatching(at now: Instant) -> Bool {
        isBusy && now >= answerDeadline
    }
}
