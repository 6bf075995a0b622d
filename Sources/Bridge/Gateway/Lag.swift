internal import EventLoop

/// How old values are when they are read, and how long they wait for the broker then.
///
/// How long ago what is read now was sent to us: as long as the bus takes to answer a call, since it answers in its turn.
struct Lag {
    /// What is read may be as old as this, and may wait for the broker as long again.
    private static let limit = Duration.seconds(5)
    /// What is younger is new enough after the limit was exceeded.
    private static let relief = Duration.seconds(1)

    /// Whether more messages wait for the broker than should.
    var isBrokerBehind = false
    /// Whether what is read is too old, and has not become new enough since.
    private(set) var isTooLong = false
    private var asked: Instant?
    /// For how many seconds the broker has been so slow that what waits would wait too long.
    private var slowSeconds = 0

    /// Whether the broker has been slow for so long that it is no hitch.
    var isBrokerSlow: Bool { .seconds(slowSeconds) >= Self.limit }

    /// A second is over, in which the broker took so many messages, and at whose end so many wait.
    mutating func secondPassed(taken: Int, waiting: Int) {
        // One that stands still may go on as fast as it was.
        let isSlow = isBrokerBehind && taken > 0 && .seconds(waiting) / taken > Self.limit
        slowSeconds = isSlow ? slowSeconds + 1 : 0
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
