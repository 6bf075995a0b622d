internal import Configuration

/// The end of a link, or of an attempt to make one, and the time until the next.
extension Session {
    /// Keeps off for a moment, longer each time, and then looks for the device again.
    mutating func fail(_ reason: String, longest: Double = 60) {
        self.reason = reason
        attempts += 1
        if phase == .connecting {
            phase = .idle
            actions.append(.stopSeeking)
        }
        isWaitingToRetry = true
        let seconds = min(longest, 0.5 * Double(1 << min(attempts, 10)))
        actions.append(.schedule(.retry, after: .seconds(seconds)))
    }

    mutating func retryNow() {
        guard isWaitingToRetry else { return }
        isWaitingToRetry = false
        actions.append(.cancel(.retry))
    }

    /// How long to wait after a lost link: until the news is complete (a power-off ends the links first, and to connect in
    /// the middle of one has brought Linux 6.1 down, list_debug.c:56) and the device advertises again.
    private static let breath = Duration.milliseconds(500)

    /// The reason for the end of a link that nobody here has ended.
    static let loss = "the link was lost"

    /// Why there is no link, where somebody has asked for that.
    private static let wish = "on request"

    /// Why there is no link, be it on purpose or not; nil: nobody needs one.
    var explanation: String? { reason ?? (isLetGo ? Self.wish : nil) }

    mutating func linkLost() {
        switch phase {
        case .pairing, .discovering, .ready:
            bondHasProved()
            phase = .idle
            reason = Self.loss
            isWaitingToRetry = true
            actions += [.cancel(.quiet), .schedule(.retry, after: Self.breath)]
        case .idle, .seeking, .connecting, .ending:
            break
        }
    }

    mutating func end() {
        bondHasProved()
        phase = .ending
        isHolding = false
        actions += [.stopSeeking, .cancel(.quiet), .cancel(.hold), .end]
    }

    /// Lets others have their turn; it comes back when they have had it.
    mutating func makeRoom() {
        isResting = true
        end()
    }

    /// The device has had nothing to say for long enough.
    mutating func silent() {
        guard phase == .ready, let quiet = plan.quiet else { return }
        // What a command brings counts as well.
        if demands > 0 { return actions.append(.schedule(.quiet, after: quiet)) }
        isHolding = false
        finishCollecting(because: "nothing was notified for \(quiet.text)")
        guard plan.connect == .always else { return }
        isResting = true
        isWaitingToRetry = true
        actions.append(.schedule(.retry, after: quiet))
        end()
    }
}
