import System

/// The topics and filters that the broker has rejected for the moment: they are tried again with back-off.
///
/// The messages on such a topic are held back (`HeldMessages`), which bounds their number. One of them is sent when its
/// time has come; the answer of the broker decides about the others. One topic or filter is tried at a time, so that a
/// broker with a quota receives few packets that it rejects.
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

    var isEmpty: Bool { postponements.isEmpty }
    /// Whether the broker has not answered a topic or filter that was sent again.
    var hasTrial: Bool { trial != nil }
    /// The time of the next repetition; nil if none waits, or if one is under way.
    var nextTime: Instant? { trial == nil ? postponements.values.lazy.map(\.retryAt).min() : nil }

    func contains(_ access: Access) -> Bool { postponements[access] != nil }

    /// Returns the number of consecutive rejections of a topic or filter.
    func failures(of access: Access) -> Int { postponements[access]?.failures ?? 0 }

    /// Notes a rejection.
    ///
    /// - Returns: The number of consecutive rejections.
    mutating func add(_ access: Access, at now: Instant) -> Int {
        if trial == access { trial = nil }
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
    mutating func remove(_ access: Access) -> Bool {
        if trial == access { trial = nil }
        return postponements.removeValue(forKey: access).map { $0.failures >= Self.many } ?? false
    }

    /// Returns the next topic or filter to send again; nil if none is due, or if one is under way.
    mutating func next(at now: Instant) -> Access? {
        guard trial == nil, let due = postponements.min(by: { $0.value.retryAt < $1.value.retryAt }),
            due.value.retryAt <= now
        else { return nil }
        trial = due.key
        return due.key
    }

    /// Forgets the filters: the client requests them again with the next connection.
    mutating func connectionEnded() {
        trial = nil
        postponements = postponements.filter { !$0.key.isSubscription }
    }
}
