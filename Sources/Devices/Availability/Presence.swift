import Configuration
package import Contract
package import System

// The types of this folder.
//
// | type            | which question it answers                                                         | owner                    |
// |-----------------|-----------------------------------------------------------------------------------|--------------------------|
// | `Rhythm`        | How often do values arrive, and when is the next one overdue?                     | binding, listener        |
// | `Silence`       | Since when has a device that is only observed sent no accepted advertisement?     | `AdvertisementListener`  |
// | `Presence`      | Is the device online, asleep, stale or offline, and until when?                   | `DeviceStatus`           |
// | `DeviceHistory` | How often has something happened since the start (topic `health`)?                | `DeviceStatus`           |
//
// `Availability` (Contract) is the payload that results; `Lag` (Bridge) is about the age of values in the gateway.

/// Judges the availability of a device from its session and from the times at which the device last worked.
package struct Presence: Equatable, Sendable {
    /// When a connection was last usable; nil: never.
    private var lastUsable: Instant?
    /// When the device was last disconnected on purpose; nil: never.
    private var lastAsleep: Instant?
    /// When the first collecting session began; nil: not yet.
    private var firstCollecting: Instant?
    /// When a collecting session last received all values; nil: never.
    private var lastCollected: Instant?
    /// When a collecting session of an earlier run last received all values, if the device was unavailable at its end.
    ///
    /// The device stays unavailable until a session has ended.
    private var lastCollectedBefore: Instant?
    /// Why the device is no longer managed; nil before and while it is managed.
    package private(set) var stopReason: String?

    package init() {}

    /// A characteristic and the deadline for its next value.
    package struct Overdue: Equatable, Sendable {
        package let name: String
        package let deadline: Instant

        package init(name: String, deadline: Instant) {
            self.name = name
            self.deadline = deadline
        }
    }

    /// An availability, and the time at which it must be judged again if no event occurs; nil: at the next event.
    package struct Judgement: Equatable, Sendable {
        package let availability: Availability
        package var until: Instant?
    }

    /// The time without a connection after which a device is offline: most lost connections are restored within
    /// seconds.
    package static let grace = Duration.seconds(20)

    private static let unseen = "the device has not been seen yet"
    private static let silent = "the device is no longer seen"
    private static let connecting = "the device is being connected"
    private static let missing = "some values are missing"
    package static let noBluetooth = "Bluetooth is not available"

    /// Updates `lastUsable`, `lastAsleep` and `firstCollecting` after the session has handled an event.
    ///
    /// - Parameters:
    ///   - session: the session after the event.
    ///   - wasUsable: `session.isUsable` before the event.
    ///   - wasAsleep: `session.isAsleep` before the event.
    ///   - now: the current time.
    package mutating func note(_ session: Session, wasUsable: Bool, wasAsleep: Bool, at now: Instant) {
        if session.missing != nil, firstCollecting == nil { firstCollecting = now }
        if wasUsable || session.isUsable { lastUsable = now }
        if wasAsleep || session.isAsleep { lastAsleep = now }
    }

    /// Notes that a collecting session has received all values.
    package mutating func noteCollected(at now: Instant) { lastCollected = now }

    /// Takes over from an earlier run when a collecting session last received all values.
    package mutating func restore(lastCollected: Instant) { lastCollectedBefore = lastCollected }

    /// Notes why the device is no longer managed.
    package mutating func stop(because reason: String) { stopReason = reason }

    /// Judges the availability of a device that the gateway connects permanently, periodically or on demand.
    ///
    /// - Parameters:
    ///   - session: the session of the device.
    ///   - next: the characteristic with the earliest deadline for its next value; nil if no characteristic has one.
    ///   - obstacle: the reason why the device waits, if it is not a missing advertisement.
    ///   - now: the current time.
    /// - Returns: the availability, and the time at which it changes if no event occurs.
    package func judge(_ session: Session, next: Overdue?, obstacle: String? = nil, at now: Instant) -> Judgement {
        let plan = session.plan
        if !session.isStarted { return offline(stopReason ?? Self.unseen) }
        if !session.isBluetoothOn { return offline(Self.noBluetooth) }
        if session.phase == .idle, let obstacle = session.obstacle { return offline(obstacle) }
        if plan.isOccasional, !session.isUsable { return asleep() }
        if case .every(let interval) = plan.connect {
            if session.isPaused { return asleep() }
            let judgement = betweenSessions(session, interval, plan.within, now)
            // A connection without values does not make a device available.
            if !session.isUsable || !judgement.availability.isAvailable && !plan.isOccasional { return judgement }
            return Judgement(availability: Availability(state: .online), until: judgement.until)
        }
        if session.isUsable {
            let judgement = connected(plan.connect == .always ? next : nil, now)
            guard let reason = session.subscriptions.problem, judgement.availability.state == .online else {
                return judgement
            }
            // The values of the other characteristics are valid.
            guard session.subscriptions.isAnySubscribed else { return stale(reason) }
            return Judgement(availability: Availability(state: .online, reason: reason), until: judgement.until)
        }
        if session.isAsleep { return asleep() }
        guard plan.connect == .always else {
            // A failure does not matter when no command is queued: the next command connects again.
            return session.wantsConnection ? session.reason.map(offline) ?? asleep() : asleep()
        }
        guard let last = [lastUsable, lastAsleep].compactMap({ $0 }).max(), now - last < Self.grace else {
            return offline(session.reason ?? obstacle ?? reasonWithoutFailure(session))
        }
        if let reason = session.subscriptions.problem { return stale(reason, until: last + Self.grace) }
        let state = last == lastUsable ? Availability.State.online : .asleep
        return Judgement(availability: Availability(state: state), until: last + Self.grace)
    }

    /// Judges the availability of a device that is never connected, or only for commands and has no characteristics.
    ///
    /// - Parameters:
    ///   - session: the session of the device.
    ///   - silence: the time since the last accepted advertisement; nil if none was accepted.
    ///   - refusal: why all advertisements since then were refused; nil if there were none.
    ///   - now: the current time.
    /// - Returns: the availability, and the time at which it changes if no event occurs.
    package func judge(_ session: Session, _ silence: Silence?, refusal: String?, at now: Instant) -> Judgement {
        if !session.isStarted { return offline(stopReason ?? Self.unseen) }
        if !session.isBluetoothOn { return offline(Self.noBluetooth) }
        if session.isUsable { return Judgement(availability: Availability(state: .online)) }
        let isOccasional = session.plan.isOccasional
        guard let silence else { return isOccasional && refusal == nil ? asleep() : offline(refusal ?? Self.unseen) }
        if now < silence.deadline {
            return Judgement(availability: Availability(state: .online), until: silence.deadline)
        }
        if isOccasional, refusal == nil { return asleep() }
        guard now < silence.end else { return offline(refusal ?? Self.silent) }
        let reason = refusal ?? "no advertisement for longer than usual"
        return Judgement(availability: Availability(state: .stale, reason: reason), until: silence.end)
    }

    /// Returns why a device has no connection although no attempt has failed.
    private func reasonWithoutFailure(_ session: Session) -> String {
        switch session.phase {
        case .connecting, .pairing, .discovering, .ready: Self.connecting
        case .idle, .seeking, .ending: lastUsable == nil ? Self.unseen : Self.silent
        }
    }

    private func connected(_ next: Overdue?, _ now: Instant) -> Judgement {
        guard let next, next.deadline <= now else {
            return Judgement(availability: Availability(state: .online), until: next?.deadline)
        }
        return stale(Availability.noValue(of: next.name))
    }

    /// Judges a device that is connected periodically: one failure after a complete session does not change the
    /// availability.
    private func betweenSessions(
        _ session: Session, _ interval: Duration, _ within: Duration, _ now: Instant
    ) -> Judgement {
        if lastCollected == nil, let reason = session.reason { return offline(reason) }
        if lastCollected == nil, let last = lastCollectedBefore {
            let end = Self.end(last, interval, within)
            return now < end ? self.stale(Self.missing, until: end) : offline(Self.silent)
        }
        guard let last = lastCollected ?? firstCollecting else { return asleep() }
        let stale = last + interval * 2 + within
        if now < stale { return asleep(until: stale) }
        let end = Self.end(last, interval, within)
        let reason = session.reason ?? Self.missing
        if now >= end, session.reason != nil { return offline(reason) }
        return Judgement(
            availability: Availability(state: .stale, reason: reason), until: now < end ? end : nil)
    }

    /// Returns when a device that is connected periodically is offline.
    private static func end(_ last: Instant, _ interval: Duration, _ within: Duration) -> Instant {
        last + interval * 4 + within
    }

    /// Returns the time for `lastCollectedBefore` of the next run, if the device is connected periodically.
    package func lastCollectedForNextRun(_ plan: SessionPlan, at now: Instant) -> Instant? {
        guard case .every(let interval) = plan.connect else { return nil }
        if let last = lastCollected ?? lastCollectedBefore { return last }
        // A device that never gave its values is offline.
        let time: Duration = interval * 4 + plan.within
        return now + (.zero - time)
    }

    private func asleep(until: Instant? = nil) -> Judgement {
        Judgement(availability: Availability(state: .asleep), until: until)
    }

    private func stale(_ reason: String, until: Instant? = nil) -> Judgement {
        Judgement(availability: Availability(state: .stale, reason: reason), until: until)
    }

    private func offline(_ reason: String) -> Judgement {
        Judgement(availability: Availability(state: .offline, reason: reason))
    }
}
