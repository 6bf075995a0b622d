import System

/// The failed subscriptions of a session.
package struct SubscriptionFailures: Sendable {
    /// The next step after a failure.
    package enum Verdict: Equatable {
        /// Subscribe again on this connection; `isNew` is true if the failure must be reported.
        case tryAgain(after: Duration, isNew: Bool)
        /// Report the failure, and make another connection.
        case connectAgain
    }

    /// The number of failures on one connection after which a failure is reported.
    private static let limit = 3
    /// The delay of the first attempts.
    private static let shortDelay = Duration.seconds(2)
    /// The delay of the attempts after the report: the first one, which doubles, and the longest one.
    private static let longDelays = (first: Duration.seconds(60), longest: Duration.seconds(3600))
    /// How long a subscription must last until its earlier failures do not count any more.
    package static let probation = Duration.seconds(60)

    /// The number of failures on this connection, by characteristic.
    private var counts: [String: Int] = [:]
    /// The characteristics whose failure was reported, with the reason.
    private var reasons: [String: String] = [:]
    /// The characteristics that are subscribed on this connection.
    private var subscribed: Set<String> = []

    /// Why values are missing: a subscription that has failed repeatedly; nil if there is none.
    package var problem: String? {
        reasons.filter { !subscribed.contains($0.key) }.min { $0.key < $1.key }.map {
            "cannot subscribe to \($0.key): \($0.value)"
        }
    }

    /// Whether at least one characteristic is subscribed.
    package var isAnySubscribed: Bool { !subscribed.isEmpty }

    /// Returns whether there is a subscription to a characteristic.
    package func isSubscribed(_ name: String) -> Bool { subscribed.contains(name) }

    /// Returns whether an access is a subscription whose repeated failure was reported.
    package func isReported(_ access: SessionAction) -> Bool {
        if case .subscribe(let name) = access { reasons[name] != nil } else { false }
    }

    /// Counts from zero on a new connection.
    package mutating func connected() {
        counts = [:]
        subscribed = []
    }

    /// Notes a subscription.
    ///
    /// - Returns: whether the subscription has failed before: it must last for `probation` until it counts as sound.
    package mutating func succeeded(_ name: String) -> Bool {
        subscribed.insert(name)
        return counts[name] != nil || reasons[name] != nil
    }

    /// Forgets the failures of a subscription that has lasted long enough.
    package mutating func lasted(_ name: String) {
        counts[name] = nil
        reasons[name] = nil
    }

    /// Counts a failure: three attempts in quick succession, then seldom.
    ///
    /// Another connection helps if bluetoothd is confused; it does not help if the device itself refuses, and it would
    /// interrupt the other subscriptions.
    ///
    /// - Parameters:
    ///   - name: the characteristic.
    ///   - reason: the cause of the failure.
    ///   - isAnswer: whether the device itself has refused.
    /// - Returns: the next step.
    package mutating func failed(_ name: String, because reason: String, isAnswer: Bool) -> Verdict {
        subscribed.remove(name)
        let count = counts[name, default: 0] + 1
        counts[name] = count
        guard count >= Self.limit else { return .tryAgain(after: Self.shortDelay, isNew: false) }
        let isNew = reasons.updateValue(reason, forKey: name) == nil
        if isNew, !isAnswer, subscribed.isEmpty { return .connectAgain }
        let delay = Backoff.delay(
            first: Self.longDelays.first, longest: Self.longDelays.longest, afterFailures: count - Self.limit)
        return .tryAgain(after: delay, isNew: isNew)
    }
}
