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
    /// When something came the last time.
    private var lastArrival = Instant(nanoseconds: .min / 2)
    private var answersUntil = Instant(nanoseconds: .min)

    init(pause: Duration = .zero) {
        self.pause = pause
        pauseLength = pause.nanoseconds
    }

    /// Something came that was waited for: the loop is busy if that is close upon what came before.
    mutating func came(at now: Instant) {
        isBusy = now.nanoseconds(since: lastArrival) < pauseLength
        lastArrival = now
    }

    /// Things were given time to gather: the loop goes on being busy only if some did.
    mutating func gathered(_ something: Bool, at now: Instant) {
        isBusy = something
        if something { lastArrival = now }
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
