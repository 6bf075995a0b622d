import System

/// The topics and filters that the broker has rejected for the moment: they are tried again with back-off.
///
/// The messages on such a topic are held back (`HeldMessages`), which bounds their number. One of them is sent when its
/// time has come; the answer of the broker decides about the others. One topic or filter is tried at a time, so that a
/// broker with a quota receives few packets that it rejects. When the broker accepts a topic, the others are tried at once
/// until it rejects one: the cause may be gone for all.
struct Postponements {
    private struct Postponement {
        /// The number of consecutive rejections.
        var failures = 0
        var retryAt = Instant(nanoseconds: 0)
    }

    /// The number of consecutive rejections that are reported.
    static let many = 3

    private var postponements: [Access: Postponement] = [:]
    /// The topic or filter that was sent again and is not answered.
    private var trial: Access?
    /// Whether the broker has accepted one of the topics since its last rejection.
    private var hasAccepted = false

    var isEmpty: Bool { postponements.isEmpty }
    /// Whether the broker has not answered a topic or filter that was sent again.
    var hasTrial: Bool { trial != nil }
    /// The time of the next repetition; nil if none waits, or if one is under way.
    var nextTime: Instant? { trial == nil ? postponements.keys.lazy.map(time).min() : nil }

    /// Returns when a topic or filter is due.
    private func time(of access: Access) -> Instant {
        let isDue = hasAccepted && !access.isSubscription
        return isDue ? Instant(nanoseconds: 0) : postponements[access]?.retryAt ?? Instant(nanoseconds: .max)
    }

    func contains(_ access: Access) -> Bool { postponements[access] != nil }

    /// Returns the number of consecutive rejections of a topic or filter.
    func failures(of access: Access) -> Int { postponements[access]?.failures ?? 0 }

    /// Notes a rejection.
    ///
    /// - Returns: The number of consecutive rejections.
    mutating func add(_ access: Access, at now: Instant) -> Int {
        if trial == access { trial = nil }
        hasAccepted = false
        let failures = failures(of: access)
        let delay =
            access.isSubscription
            ? Backoff.delay(first: .seconds(5), longest: .seconds(3600), afterFailures: failures)
            : Backoff.delay(first: .seconds(1), longest: .seconds(60), afterFailures: failures)
        postponements[access] = Postponement(failures: failures + 1, retryAt: now + delay)
        return failures + 1
    }

    /// Removes a topic or filter that the broker has accepted, or that is no longer tried.
    ///
    /// - Returns: Whether its rejections were reported.
    mutating func remove(_ access: Access, isAccepted: Bool = false) -> Bool {
        if trial == access { trial = nil }
        if isAccepted, !access.isSubscription { hasAccepted = true }
        return postponements.removeValue(forKey: access).map { $0.failures >= Self.many } ?? false
    }

    /// Returns the next topic or filter to send again; nil if none is due, or if one is under way.
    mutating func next(at now: Instant) -> Access? {
        guard trial == nil, let due = postponements.keys.min(by: { time(of: $0) < time(of: $1) }), time(of: due) <= now
        else { return nil }
        trial = due
        return due
    }

    /// Forgets the filters: the client requests them again with the next connection.
    mutating func connectionEnded() {
        trial = nil
        postponements = postponements.filter { !$0.key.isSubscription }
    }
}
