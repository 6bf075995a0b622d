import System

/// Finds the topics and filters for which the broker closes the connection, and remembers them.
///
/// Some brokers close the connection when a client publishes on a forbidden topic, or subscribes to a forbidden filter
/// (AWS IoT; many brokers with MQTT 3.1.1). After the broker has closed a connection, all packets without an answer are
/// suspects, and every topic and filter is doubtful until the broker has answered it. The suspects are sent alone
/// (`AccessTrials`). A topic or filter that was the cause is refused: it is held back, and tried again after a minute, ten
/// minutes, and then every hour. Topics of the same kind are held back too (`AccessKinds`).
struct AccessRecord {
    enum Verdict {
        /// The broker has accepted the topic or the filter.
        case accepted
        /// The topic or the filter waits for its trial.
        case doubtful
        /// The topic or the filter must not be sent now.
        case held
    }

    enum Finding: Equatable {
        /// The broker closes the connection because of this topic or filter.
        case refused(Access, retryIn: Duration)
        /// The broker accepts a topic or filter that it has refused before.
        case accepted(Access)
    }

    private struct Refusal {
        var count = 0
        var retryAt: Instant
        /// The smallest payload that is refused, in bytes: a broker may also close the connection because of the size.
        var smallest: Int

        func applies(to size: Int) -> Bool { size >= smallest }
    }

    private static let delays = [Duration.seconds(60), .seconds(600), .seconds(3600)]
    /// How long a refused topic is remembered after its last use.
    private static let memory = Duration.seconds(2 * 3600)
    /// The maximum number of refused topics and filters.
    private static let mostRefused = 1000
    /// The maximum number of accepted topics and filters; if there are more, they are doubtful again.
    private static let mostAccepted = 20_000
    /// The size in bytes from which on a payload may be refused because of its size.
    private static let large = 512
    /// The number of refused topics and filters from which on a message that can be replaced is not tried.
    private static let manyRefused = 10
    /// The number of consecutive refusals after which the trials pause: each of them costs a connection.
    private static let mostRefusalsAtOnce = 8

    /// Whether the broker has closed a connection in the place of an answer: otherwise everything may be sent.
    private(set) var isActive = false
    private var accepted: Set<Access> = []
    private var refused: [Access: Refusal] = [:]
    private var kinds = AccessKinds()
    private var trials: AccessTrials
    /// Whether the broker has answered anything: otherwise the cause may be another problem of the broker.
    private var hasEvidence = false
    /// The suspects that were sent alone before there was evidence.
    private var unconfirmed: [Access: Int] = [:]
    private var refusalsAtOnce = 0
    /// The number of consecutive short connections that the broker has closed without an unanswered packet.
    private var idleCloses = 0
    private var resumeAt = Instant(nanoseconds: 0)
    private var hasReleased = false

    /// - Parameter window: The maximum number of trials at a time.
    init(window: UInt16) {
        trials = AccessTrials(mostAtOnce: Int(window))
    }

    /// Whether topics or filters wait for their trial, or for its answer.
    var hasTrials: Bool { !trials.isEmpty }

    func isWaiting(_ access: Access) -> Bool { trials.contains(access) }

    /// Returns whether nothing may be sent until all packets are answered, because a suspect comes next.
    func needsSilence(at now: Instant) -> Bool { now >= resumeAt && trials.needsSilence }

    // MARK: Verdicts

    /// Returns whether a topic or a filter was accepted and may be sent.
    func isAccepted(_ access: Access, size: Int = 0) -> Bool {
        refused[access]?.applies(to: size) != true && accepted.contains(access)
    }

    /// Decides about a topic or a filter; a doubtful one is tried later (`nextTrial`).
    ///
    /// - Parameters:
    ///   - access: The topic or the filter.
    ///   - size: The size of the payload, in bytes.
    ///   - canBeReplaced: Whether a message has a fallback on another topic.
    ///   - now: The current time.
    /// - Returns: The verdict.
    mutating func admit(_ access: Access, size: Int = 0, canBeReplaced: Bool = false, at now: Instant) -> Verdict {
        if isAccepted(access, size: size) { return .accepted }
        let refusal = refused[access].flatMap { $0.applies(to: size) ? $0 : nil }
        if let refusal, now < refusal.retryAt { return .held }
        if trials.contains(access) { return .doubtful }
        if canBeReplaced, refused.count >= Self.manyRefused { return .held }
        let verdict = kinds.admit(access, at: now)
        guard verdict != .held else { return .held }
        trials.add(access, isSuspect: refusal != nil || verdict == .trial)
        return .doubtful
    }

    /// Returns whether a topic or a filter was refused, or others with the same first and last level.
    func isUnlikely(_ access: Access) -> Bool { refused[access] != nil || kinds.holdsLast(of: access) }

    // MARK: Trials

    /// Removes the next topic or filter to try.
    ///
    /// - Parameters:
    ///   - isSilent: Whether all packets that were sent are answered.
    ///   - now: The current time.
    /// - Returns: The topic or the filter; nil if none may be tried now.
    mutating func nextTrial(isSilent: Bool, at now: Instant) -> Access? {
        now >= resumeAt ? trials.next(isSilent: isSilent) : nil
    }

    /// Removes a topic or a filter that waits for its trial and is no longer used.
    mutating func cancel(_ access: Access) { trials.remove(access) }

    /// Notes that the broker has answered a PUBLISH or a SUBSCRIBE.
    mutating func answered(_ access: Access, size: Int = 0, at now: Instant) -> [Finding] {
        var findings: [Finding] = []
        unconfirmed[access] = nil
        if !hasEvidence {
            hasEvidence = true
            let causes = unconfirmed
            unconfirmed = [:]
            for (access, size) in causes { findings.append(refuse(access, size: size, at: now)) }
        }
        if kinds.accepted(access) { release(like: access, at: now) }
        let isNew = accepted.insert(access).inserted
        if trials.contains(access) {
            trials.answered(access)
            if trials.isEmpty { refusalsAtOnce = 0 }
        } else if !isNew {
            return findings
        }
        if accepted.count > Self.mostAccepted { accepted = [access] }
        if refused[access]?.applies(to: size) == true {
            refused[access] = nil
            release(like: access, at: now)
            findings.append(.accepted(access))
        }
        return findings
    }

    /// Lets the refused topics or filters of the same first level be tried now: the rules of the broker have changed.
    private mutating func release(like access: Access, at now: Instant) {
        let level = access.firstLevel
        for other in refused.keys where other.firstLevel == level { refused[other]?.retryAt = now }
        hasReleased = true
    }

    // MARK: The end of a connection

    /// Updates the record after a connection that the broker did not close.
    mutating func connectionLost() {
        _ = trials.connectionEnded()
        idleCloses = 0
    }

    /// Updates the record after the broker has closed a connection.
    ///
    /// - Parameters:
    ///   - unanswered: The topics and filters that the broker has not answered, in order, with the size of the payload.
    ///   - replaceable: The topics among them whose message has a fallback, which is tried without further evidence.
    ///   - hadAnswers: Whether the broker has answered others in this connection.
    ///   - isShort: Whether the connection was short.
    ///   - now: The current time.
    /// - Returns: The finding; empty if the cause is not certain.
    mutating func connectionClosed(
        unanswered: [(access: Access, size: Int)], replaceable: Set<Access> = [], hadAnswers: Bool,
        isShort: Bool = true, at now: Instant
    ) -> [Finding] {
        if hadAnswers { hasEvidence = true }
        idleCloses = isShort && unanswered.isEmpty ? idleCloses + 1 : 0
        // Messages with quality of service 0 are never unanswered: a second short connection makes them doubtful.
        if !unanswered.isEmpty || idleCloses > 1 { isActive = true }
        guard isActive else { return [] }
        let trial = trials.connectionEnded()
        guard let trial, trial.isAlone || unanswered.count == 1,
            let cause = unanswered.first(where: { $0.access == trial.access })
        else {
            accepted.subtract(unanswered.map(\.access))
            trials.suspect(unanswered.map(\.access))
            return []
        }
        trials.remove(cause.access)
        if hasEvidence || replaceable.contains(cause.access) {
            return [refuse(cause.access, size: cause.size, at: now)]
        }
        unconfirmed[cause.access] = cause.size
        trials.add(cause.access, isSuspect: true)
        let levels = Set(unconfirmed.keys.map(\.firstLevel))
        trials.postpone { levels.contains($0.firstLevel) }
        trials.postpone { AccessKinds.areSimilar($0, cause.access) }
        trials.postpone { unconfirmed[$0] != nil }
        return []
    }

    private mutating func refuse(_ access: Access, size: Int, at now: Instant) -> Finding {
        trials.remove(access)
        accepted.remove(access)
        if refused[access] == nil, refused.count >= Self.mostRefused {
            refused = refused.filter { $0.value.retryAt + Self.memory > now }
            if refused.count >= Self.mostRefused { refused = [:] }
        }
        var refusal = refused[access] ?? Refusal(retryAt: now, smallest: .max)
        let delay = Self.delays[min(refusal.count, Self.delays.count - 1)]
        refusal.count += 1
        refusal.retryAt = now + delay
        refusal.smallest = min(refusal.smallest, size >= Self.large ? size / 2 : 0)
        refused[access] = refusal
        kinds.refused(access, at: now)
        let kinds = kinds
        trials.removeAll { kinds.holds($0) }
        // The others are likely refused too: they must not cost a connection each.
        let level = access.firstLevel
        if refusal.count > 1 {
            for (other, value) in refused where other.firstLevel == level && value.retryAt < refusal.retryAt {
                refused[other]?.retryAt = refusal.retryAt
            }
        }
        refusalsAtOnce += 1
        let excess = refusalsAtOnce - Self.mostRefusalsAtOnce
        if excess > 0 {
            resumeAt = now + Backoff.delay(first: .seconds(5), longest: .seconds(60), afterFailures: excess - 1)
        }
        return .refused(access, retryIn: delay)
    }

    // MARK: Time

    /// Returns whether topics or filters that were held back may be tried now; true once per cause.
    mutating func takeRelease(at now: Instant) -> Bool {
        defer { hasReleased = false }
        return hasReleased || kinds.nextTrial.map { $0 <= now } ?? false
            || refused.values.contains { $0.retryAt <= now }
    }

    /// Forgets refused topics that are no longer used, and all accepted ones if no topic is refused or suspected.
    ///
    /// - Parameters:
    ///   - isSteady: Whether the connection has lasted for a minute or more.
    ///   - now: The current time.
    mutating func forget(isSteady: Bool, at now: Instant) {
        for (access, refusal) in refused where refusal.retryAt + Self.memory <= now { refused[access] = nil }
        guard isSteady, refused.isEmpty, kinds.isEmpty, unconfirmed.isEmpty, trials.isEmpty else { return }
        (isActive, hasEvidence, accepted) = (false, false, [])
    }
}

extension Access {
    /// The first level of the topic or the filter, for one kind of action.
    fileprivate var firstLevel: FirstLevel {
        FirstLevel(isSubscription: isSubscription, name: name.prefix { $0 != "/" })
    }

    fileprivate struct FirstLevel: Hashable {
        let isSubscription: Bool
        let name: Substring
    }
}
