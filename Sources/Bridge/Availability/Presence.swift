internal import Configuration
internal import EventLoop

/// Whether a device can be relied on, judged from its session and from when it was last of use.
struct Presence: Equatable, Sendable {
    /// When there last was a link that was of use.
    var lastReady: Instant?
    /// When it last was not connected on purpose.
    var lastAsleep: Instant?
    /// When the first collecting session began.
    var firstCollecting: Instant?
    /// When a collecting session last got everything.
    var lastCollected: Instant?

    /// Why the device is no longer looked after; nil: it is, or will be.
    var farewell: String?

    /// A value that does not come any more.
    struct Overdue: Equatable, Sendable {
        let name: String
        let deadline: Instant
    }

    /// What a device is, and when to judge it anew though nothing has happened.
    struct Judgement: Equatable, Sendable {
        let availability: Availability
        var until: Instant?
    }

    /// How long a device may be gone before that is told: a link that is lost is back in seconds, mostly.
    static let grace = Duration.seconds(20)

    private static let unheard = "it has not been heard yet"
    private static let silent = "it is not heard any more"

    /// - Parameters:
    ///   - next: the value that will be overdue first, or is.
    ///   - obstacle: what it waits for, other than to be heard.
    func judge(
        _ session: Session, _ plan: SessionPlan, next: Overdue?, obstacle: String? = nil, at now: Instant
    ) -> Judgement {
        if !session.isStarted { return gone(farewell ?? Self.unheard) }
        if !session.isBluetoothOn { return gone("Bluetooth is not available") }
        if case .every(let interval) = plan.connect {
            if session.isPaused { return asleep() }
            let judgement = betweenSessions(session, interval, plan.within, now)
            // A link alone is no value.
            if session.phase != .ready || !judgement.availability.isAvailable { return judgement }
            return Judgement(availability: Availability(state: .online), until: judgement.until)
        }
        if session.phase == .ready { return connected(plan.connect == .always ? next : nil, now) }
        if session.isAsleep { return asleep() }
        guard plan.connect == .always else {
            // What kept it from being connected is over with the wish: the next command tries again.
            return session.wantsLink ? session.reason.map(gone) ?? asleep() : asleep()
        }
        guard let last = [lastReady, lastAsleep].compactMap({ $0 }).max(), now - last < Self.grace else {
            return gone(session.reason ?? obstacle ?? (lastReady == nil ? Self.unheard : Self.silent))
        }
        let state = last == lastReady ? Availability.State.online : .asleep
        return Judgement(availability: Availability(state: state), until: last + Self.grace)
    }

    /// Judges a device that is only listened to.
    ///
    /// - Parameter deadline: from when on it is silent for longer than it should be.
    func judge(_ session: Session, lastHeard: Instant?, deadline: Instant?, at now: Instant) -> Judgement {
        if !session.isStarted { return gone(farewell ?? Self.unheard) }
        if !session.isBluetoothOn { return gone("Bluetooth is not available") }
        guard let lastHeard, let deadline else { return gone(Self.unheard) }
        if now < deadline { return Judgement(availability: Availability(state: .online), until: deadline) }
        let offline = lastHeard + (deadline - lastHeard) * 3
        guard now < offline else { return gone(Self.silent) }
        return Judgement(
            availability: Availability(state: .stale, reason: "not heard for longer than usual"), until: offline)
    }

    private func connected(_ next: Overdue?, _ now: Instant) -> Judgement {
        guard let next, next.deadline <= now else {
            return Judgement(availability: Availability(state: .online), until: next?.deadline)
        }
        let reason = "no value of \(next.name) for longer than usual"
        return Judgement(availability: Availability(state: .stale, reason: reason))
    }

    /// A device that is connected now and then: one session that fails is no news.
    private func betweenSessions(
        _ session: Session, _ interval: Duration, _ within: Duration, _ now: Instant
    ) -> Judgement {
        if lastCollected == nil, let reason = session.reason { return gone(reason) }
        guard let last = lastCollected ?? firstCollecting else { return asleep() }
        let stale = last + interval * 2 + within
        if now < stale { return asleep(until: stale) }
        let offline = last + interval * 4 + within
        let reason = session.reason ?? "not all of its values came"
        if now >= offline, session.reason != nil { return gone(reason) }
        return Judgement(
            availability: Availability(state: .stale, reason: reason), until: now < offline ? offline : nil)
    }

    private func asleep(until: Instant? = nil) -> Judgement {
        Judgement(availability: Availability(state: .asleep), until: until)
    }

    private func gone(_ reason: String) -> Judgement {
        Judgement(availability: Availability(state: .offline, reason: reason))
    }
}
