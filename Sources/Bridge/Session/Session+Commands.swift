internal import Configuration

/// Commands, which need the link for a while or want it ended.
extension Session {
    mutating func demanded() {
        demands += 1
        wake()
        isHolding = false
        actions.append(.cancel(.hold))
        if phase == .ready { actions.append(.serve) }
    }

    mutating func demandEnded() {
        demands -= 1
        if demands == 0 && phase == .ready && plan.connect != .always { hold() }
    }

    mutating func hold() {
        isHolding = true
        actions.append(.schedule(.hold, after: plan.hold))
    }

    mutating func wake() {
        isLeftAlone = false
        isPaused = false
        actions.append(.cancel(.pause))
        retryNow()
    }

    mutating func letGo(_ pause: Duration?) {
        isLetGo = true
        isPaused = pause != nil
        // The next session of one that is collected from now and then comes in its time.
        isLeftAlone = isPaused || plan.connect == .always
        isHolding = false
        reason = nil
        finishCollecting(because: "a disconnect was requested")
        actions.append(pause.map { .schedule(.pause, after: $0) } ?? .cancel(.pause))
    }
}
