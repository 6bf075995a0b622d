internal import EventLoop

/// How long ago what is read now was sent to us: as long as the bus takes to answer a call, since it answers in its turn.
struct Lag {
    /// What is read may be as old as this, and may wait for the broker as long again.
    private static let limit = Duration.seconds(5)
    /// What is younger is new enough after the limit was exceeded.
    private static let relief = Duration.seconds(1)

    /// Whether what is read is too old, and has not become new enough since.
    private(set) var isTooLong = false
    private var asked: Instant?

    /// Whether so many messages wait too long for a broker that takes so many a second; for one that stands still nobody
    /// can say.
    static func isTooLong(for waiting: Int, at rate: Int) -> Bool {
        rate > 0 && Duration.seconds(waiting) / rate > limit
    }

    /// Whether to ask the bus now: not while it is being asked.
    mutating func ask(at now: Instant) -> Bool {
        guard asked == nil else { return false }
        asked = now
        return true
    }

    /// Looks how long the bus has been taking to answer.
    mutating func look(at now: Instant) {
        if let asked, now - asked >= Self.limit { isTooLong = true }
    }

    /// The bus has answered.
    ///
    /// - Returns: Whether it is to be asked again, as it is now.
    mutating func answered(at now: Instant) -> Bool {
        look(at: now)
        if let asked, now - asked < Self.relief { isTooLong = false }
        asked = isTooLong ? now : nil
        return isTooLong
    }
}
