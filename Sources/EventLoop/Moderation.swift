/// When a busy loop lets things gather, to handle them all in one go: to wake up costs more than to handle a message.
///
/// Network drivers moderate their interrupts in the same way. What comes now and then is handled at once, and so is what
/// answers us. Timers gather as well: none is late by more than the pause.
struct Moderation {
    /// How long things may gather; zero: not at all.
    var pause: Duration {
        didSet { pauseLength = pause.nanoseconds }
    }
    private var pauseLength: Int64
    private var isBusy = false
    private var answersUntil = Instant(nanoseconds: .min)

    init(pause: Duration = .zero) {
        self.pause = pause
        pauseLength = pause.nanoseconds
    }

    /// The loop has waited from `start` until `now`, when something came or a timer was due: it is busy while what comes
    /// does not keep it waiting, and no longer when nothing has come for that long.
    mutating func waited(from start: Instant, until now: Instant, somethingCame: Bool) {
        if now.nanoseconds(since: start) >= pauseLength {
            isBusy = false
        } else if somethingCame {
            isBusy = true
        }
    }

    /// Nothing gathers until `moment`: an answer is expected before.
    mutating func expectAnswer(until moment: Instant) {
        answersUntil = max(answersUntil, moment)
    }

    /// Whether things are to gather from now on.
    func gathers(at now: Instant) -> Bool {
        isBusy && now >= answersUntil
    }
}
