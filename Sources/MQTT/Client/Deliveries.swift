import System

/// The messages on their way to the broker: queued, bundled, in flight, or held back.
struct Deliveries {
    private(set) var outbox: Outbox
    private(set) var inFlight: InFlight
    /// The messages on topics that the broker has not accepted since it has closed a connection, or rejects for the moment.
    private(set) var held: HeldMessages
    /// The topics and filters that the broker accepts.
    private(set) var access: AccessRecord {
        didSet { updateRestraint() }
    }
    /// The topics and filters that the broker has rejected for the moment.
    private(set) var postponements = Postponements() {
        didSet { updateRestraint() }
    }
    /// The maximum number of messages per second; nil: no limit.
    private var rate: SendRate?
    /// Whether a message must not be sent without a further check; stored, because it is asked for each message.
    private(set) var isRestrained = false
    private var isConnected = false
    private var bundle = Bundle()
    private var backlog = BacklogMonitor()

    /// The next step for a message that has just been published.
    enum Submission {
        case queued
        /// The message needs a connection, and there is none.
        case dropped
        /// The message is sent before the loop waits. `isFirst`: whether it is the first of its bundle.
        case bundled(isFirst: Bool)
        /// The caller sends the message.
        case ready(Outbox.Entry)
        /// The broker refuses the topic, and the message is of no use later.
        case refused(Outbox.Entry)
    }

    /// - Parameters:
    ///   - limits: The limits of the queue.
    ///   - window: The configured maximum of messages in flight.
    ///   - rate: The maximum number of messages per second; nil: no limit.
    init(limits: Client.OutboxLimits, window: UInt16, rate: Int?) {
        outbox = Outbox(limits: limits)
        inFlight = InFlight(window: window)
        held = HeldMessages(limits: Client.OutboxLimits(count: limits.count, size: limits.size / 2))
        access = AccessRecord(window: window)
        self.rate = rate.map { SendRate(perSecond: $0) }
        isRestrained = rate != nil
    }

    /// Whether no message waits to be sent, except those that are held back.
    var isSent: Bool { outbox.isEmpty && bundle.isEmpty && !access.hasTrials }
    /// Whether each message was acknowledged.
    var isComplete: Bool { isSent && inFlight.isEmpty }
    var hasBundle: Bool { !bundle.isEmpty }
    /// The number of messages that wait, except those that are held back.
    var waitingCount: Int { outbox.count + bundle.count + doubtfulCount }
    /// The number of messages that are held back because the broker refuses topics of their kind, or rejects their topic.
    var heldCount: Int { held.count - doubtfulCount }
    /// The number of messages that wait for the trial of their topic.
    private var doubtfulCount: Int {
        guard access.hasTrials else { return 0 }
        return held.count(where: { access.isWaiting(.publish($0)) })
    }
    /// The approximate memory that the waiting messages use, in bytes.
    var waitingSize: Int { outbox.size + bundle.size + held.size }
    /// The number of messages that can be sent now.
    var sendableCount: Int { min(inFlight.window - inFlight.count, outbox.count + bundle.count) }

    // MARK: Publishing

    /// Adds a message that may be sent at once.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - policy: The rule for its place in the queue.
    ///   - isConnected: Whether the broker is connected.
    ///   - canSend: Whether no other messages are being sent.
    ///   - bundles: Whether messages are sent together.
    ///   - now: The current time.
    /// - Returns: The next step for the message.
    mutating func submit(
        _ message: Message, _ policy: QueuePolicy, isConnected: Bool, canSend: Bool, bundles: Bool, at now: Instant
    ) -> Submission {
        if !isConnected, policy.order == .whileConnected { return .dropped }
        guard isConnected, canSend, !isRestrained, outbox.isEmpty, bundle.count + inFlight.count < inFlight.window
        else { return queue(message, policy, at: now).map { .refused($0) } ?? .queued }
        let entry = outbox.pass(message, policy: policy, at: now)
        guard bundles || !bundle.isEmpty else { return .ready(entry) }
        let isFirst = bundle.isEmpty
        bundle.append(entry)
        return .bundled(isFirst: isFirst)
    }

    /// Returns the entry of a message that is sent before all others; nil: topics are refused, and the message must wait.
    mutating func pass(_ message: Message, at now: Instant) -> Outbox.Entry? {
        guard !access.isActive, postponements.isEmpty else { return nil }
        return outbox.entry(for: message, .whileConnected, at: now)
    }

    /// Adds a message to the queue, or to those that are held back.
    ///
    /// - Returns: The message, if the broker refuses its topic and it is of no use later; nil otherwise.
    mutating func queue(
        _ message: Message, _ policy: QueuePolicy, sequel: Outbox.Sequel? = nil, at now: Instant
    ) -> Outbox.Entry? {
        if isConnected, postponements.contains(.publish(message.topic)) {
            held.add(outbox.entry(for: message, policy, sequel: sequel, at: now))
            return nil
        }
        guard isConnected, access.isActive else {
            outbox.put(message, policy: policy, at: now, sequel: sequel)
            return nil
        }
        let verdict = access.admit(message, sequel, at: now)
        guard verdict != .accepted else {
            outbox.put(message, policy: policy, at: now, sequel: sequel)
            return nil
        }
        return hold(outbox.entry(for: message, policy, sequel: sequel, at: now), verdict)
    }

    /// Holds a message back; returns it if the broker refuses its topic and it is of no use later.
    private mutating func hold(_ entry: Outbox.Entry, _ verdict: AccessRecord.Verdict) -> Outbox.Entry? {
        let isUseful = entry.policy.order == .latest || entry.mustStay
        guard verdict == .doubtful || isUseful && entry.sequel?.fallback == nil else { return entry }
        held.add(entry)
        return nil
    }

    /// Replaces the payloads of all messages with those that `change` returns; nil: the payload remains.
    mutating func changePayloads(_ change: (Message) -> [UInt8]?) {
        outbox.changePayloads(change)
        held.changePayloads(change)
        inFlight.changePayloads(change)
    }

    /// Removes and returns the next message to send; nil if none waits, or if the window is full.
    mutating func next(at now: Instant) -> Outbox.Entry? {
        if let entry = bundle.takeFirst() { return entry }
        guard inFlight.count < inFlight.window else { return nil }
        return isRestrained ? nextAllowed(at: now) : outbox.next(at: now)
    }

    private mutating func nextAllowed(at now: Instant) -> Outbox.Entry? {
        guard !access.isActive || !access.needsSilence(at: now), isInRate(at: now) else { return nil }
        while let entry = outbox.next(at: now) {
            guard !postponements.contains(.publish(entry.message.topic)) else {
                held.add(entry)
                continue
            }
            rate?.noteSent(at: now)
            return entry
        }
        return nil
    }

    private mutating func updateRestraint() {
        isRestrained = access.isActive || !postponements.isEmpty || rate != nil
    }

    private func isInRate(at now: Instant) -> Bool { rate.map { $0.nextTime <= now } ?? true }

    /// The time at which a message may be sent that must not be sent now; nil: no message waits for a time.
    var nextTime: Instant? {
        guard isConnected, isRestrained, inFlight.count < inFlight.window else { return nil }
        let earliest = rate?.nextTime ?? Instant(nanoseconds: .min)
        let queued = rate != nil && !outbox.isEmpty ? earliest : nil
        return [queued, postponements.nextTime.map { max($0, earliest) }].compactMap(\.self).min()
    }

    /// Drops the queued values that are not the newest of their state.
    mutating func skipToNewest() {
        outbox.halt()
    }

    // MARK: Kept messages

    var hasDisplaced: Bool { outbox.hasDisplaced || held.hasDisplaced }
    /// The approximate memory of the queued messages that must be kept and were not handed over, in bytes.
    var keptSize: Int { outbox.keptSize + held.keptSize }

    /// Returns whether a kept message was published at or before a time, and was neither accepted nor handed over.
    func hasKept(since time: Instant) -> Bool {
        outbox.hasKept(since: time) || inFlight.hasKept(since: time) || held.hasKept(since: time)
    }

    /// Returns the kept messages that the broker has not accepted and that were not handed over.
    mutating func handOver() -> [KeptMessage] { inFlight.handOver() + outbox.handOver() + held.handOver() }

    // MARK: Copies

    /// Whether kept messages are copied: the broker does not accept messages.
    var isCopying: Bool { outbox.isCopying }
    /// Whether messages were copied, or must be, and the copies were not reported.
    var hasCopies: Bool { outbox.hasCopies || held.needsCopies }
    /// Whether a copied message was neither accepted nor handed over.
    var hasCopied: Bool { outbox.hasCopied || inFlight.hasCopied || held.hasCopied }

    mutating func startCopying() { outbox.startCopying() }
    mutating func stopCopying() { outbox.stopCopying() }

    /// Returns copies of the kept messages, each of them once: of those that are held back, and of all while messages are
    /// copied.
    mutating func takeCopies() -> [KeptMessage] {
        (isCopying ? inFlight.takeCopies() + outbox.takeCopies() : []) + held.takeCopies()
    }

    // MARK: Backlog

    /// Returns whether the broker has fallen behind, after messages were queued.
    mutating func hasFallenBehind() -> Bool { backlog.grew(to: outbox.backlog) }

    /// Returns whether the broker has caught up, after messages were sent or dropped.
    mutating func hasCaughtUp() -> Bool { backlog.isBehind && backlog.shrank(to: outbox.backlog) }

    /// Resets the state of the backlog after the end of the connection; returns whether the broker was behind.
    mutating func endBacklog() -> Bool { backlog.end() }

    // MARK: In flight

    /// Applies the limits that the broker announced in CONNACK, and decides about the queued messages.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - now: The current time.
    /// - Returns: The messages on refused topics that are of no use later.
    mutating func connectionBegan(_ limits: BrokerLimits, at now: Instant) -> [Outbox.Entry] {
        inFlight.connectionBegan(limits)
        isConnected = true
        guard access.isActive else { return [] }
        let record = access
        let doubtful = outbox.removeAll { !record.isAccepted($0.message) }
        return doubtful.compactMap { hold($0, access.admit($0.message, $0.sequel, at: now)) }
    }

    /// Returns the quality of service to send with: the requested one, or the best that the broker supports.
    mutating func quality(for requested: QualityOfService) -> QualityOfService { inFlight.quality(for: requested) }

    /// Adds a message that was sent with the packet identifier that libmosquitto assigned.
    mutating func sent(_ entry: consuming Outbox.Entry, as identifier: Int32) {
        inFlight.add(entry, as: identifier)
    }

    /// Removes and returns the message with a packet identifier; nil if no such message is in flight.
    mutating func acknowledged(_ identifier: Int32) -> Outbox.Entry? {
        inFlight.remove(identifier)
    }

    /// Returns whether the same message has been the oldest one in flight for at least `limit`.
    mutating func isStuck(for limit: Duration, at now: Instant) -> Bool { inFlight.isStuck(for: limit, at: now) }

    /// Returns unacknowledged and unsent messages to the queue after the connection has ended.
    ///
    /// They are sent with the remaining time of their expiry, by a new handle of libmosquitto. The old handle would
    /// send them with their original expiry, and again with each connection (2.0.21).
    ///
    /// - Parameters:
    ///   - isClosed: Whether the broker has closed the connection, maybe because of a packet.
    ///   - filters: The filters of the subscriptions that the broker has not answered.
    ///   - hadAnswers: Whether the broker has answered anything in this connection.
    ///   - isShort: Whether the connection was short.
    ///   - now: The current time.
    /// - Returns: The results for the client.
    mutating func connectionEnded(
        isClosed: Bool, unanswered filters: [TopicFilter], hadAnswers: Bool, isShort: Bool, at now: Instant
    ) -> ConnectionEnd {
        isConnected = false
        postponements.connectionEnded()
        let remainder = inFlight.connectionEnded()
        var findings: [AccessRecord.Finding] = []
        if isClosed {
            let messages = remainder.returning.map(\.message)
            let replaceable = remainder.returning.lazy.filter { $0.sequel?.fallback != nil }.map(\.message.topic)
            findings = access.connectionClosed(
                unanswered: filters.map { (.subscribe($0), 0) }
                    + messages.map { (.publish($0.topic), $0.payload.count) },
                replaceable: Set(replaceable.map { .publish($0) }), hadAnswers: hadAnswers, isShort: isShort, at: now)
        } else {
            access.connectionLost()
        }
        outbox.putBack(remainder.returning + bundle.takeAll() + held.takeAll())
        return ConnectionEnd(
            lost: remainder.lost, needsNewHandle: remainder.isKeptByLibrary, findings: findings)
    }

    /// The results of the end of a connection.
    struct ConnectionEnd {
        /// The number of lost messages.
        let lost: Int
        /// Whether libmosquitto needs a new handle.
        let needsNewHandle: Bool
        let findings: [AccessRecord.Finding]
    }

    // MARK: Held messages

    /// Notes that the broker has answered a message or a subscription; the other messages on the topic are sent.
    mutating func answered(_ action: Access, size: Int = 0, at now: Instant) -> [AccessRecord.Finding] {
        let findings = access.answered(action, size: size, at: now)
        if case .publish(let topic) = action {
            let waiting = held.takeAll(topic)
            let released = waiting.filter { access.isAccepted($0.message) }
            if !released.isEmpty { outbox.insert(released) }
            for entry in waiting where !access.isAccepted(entry.message) { held.add(entry) }
        }
        return findings
    }

    /// Returns whether a filter may be subscribed to now; a doubtful one is tried later.
    mutating func admit(_ filter: TopicFilter, at now: Instant) -> Bool {
        !access.isActive || access.admit(.subscribe(filter), at: now) == .accepted
    }

    /// Removes and returns the next topic or filter to try; nil if none may be tried now.
    mutating func nextTrial(hasUnansweredRequests: Bool, at now: Instant) -> Access? {
        guard access.isActive, inFlight.count < inFlight.window, isInRate(at: now) else { return nil }
        return access.nextTrial(isSilent: inFlight.isEmpty && !hasUnansweredRequests, at: now)
    }

    /// Removes and returns the first message on a topic, for a trial; nil if there is none.
    ///
    /// The message has a quality of service of 1 at least: the answer of the broker is the result of the trial.
    mutating func takeTrial(of topic: Topic, at now: Instant) -> Outbox.Entry? {
        while let entry = held.takeFirst(topic) {
            guard var entry = entry.aged(at: now) else {
                outbox.noteExpired(entry)
                continue
            }
            rate?.noteSent(at: now)
            entry.message.qualityOfService = max(entry.message.qualityOfService, .atLeastOnce)
            return entry
        }
        access.cancel(.publish(topic))
        _ = postponements.remove(.publish(topic))
        return nil
    }

    /// Removes a filter that waits for its trial and is no longer wanted.
    mutating func cancelTrial(of filter: TopicFilter) { access.cancel(.subscribe(filter)) }

    /// Decides again about the messages that are held back, if the time for it has come.
    ///
    /// - Returns: Whether it has come, for filters too.
    mutating func release(isSteady: Bool, at now: Instant) -> Bool {
        access.forget(isSteady: isSteady && held.count == 0, at: now)
        guard access.takeRelease(at: now) else { return false }
        // Of a kind that is held back, the first topic is tried: it should be one that is likely accepted.
        let topics = held.topics.filter {
            !access.isWaiting(.publish($0)) && !postponements.contains(.publish($0))
        }
        let unlikely = topics.filter { access.isUnlikely(.publish($0)) }
        for topic in topics.filter({ !access.isUnlikely(.publish($0)) }) + unlikely {
            for entry in held.takeAll(topic) {
                if access.admit(entry.message, entry.sequel, at: now) == .accepted {
                    outbox.insert([entry])
                } else {
                    held.add(entry)
                }
            }
        }
        return true
    }

    // MARK: Messages that the broker rejects for the moment

    /// How long an event or a response is sent again after it was published; a state is sent again until it is accepted.
    private static let longestRepetition = Duration.seconds(600)

    /// Holds a message back that the broker has rejected for the moment, if it is of use later.
    ///
    /// - Returns: Whether it is of use, and the number of consecutive rejections of its topic.
    mutating func postpone(_ entry: Outbox.Entry, at now: Instant) -> (isHeld: Bool, failures: Int) {
        let access = Access.publish(entry.message.topic)
        let isHeld = isUseful(entry, afterFailures: postponements.failures(of: access), at: now)
        if isHeld { held.add(entry) }
        // Others may wait on the topic.
        return (isHeld, isHeld || postponements.contains(access) ? postponements.add(access, at: now) : 1)
    }

    private func isUseful(_ entry: Outbox.Entry, afterFailures failures: Int, at now: Instant) -> Bool {
        if entry.mustStay || entry.policy.order == .latest { return true }
        if entry.sequel?.fallback != nil { return failures + 1 < Postponements.many }
        if entry.sequel?.completion != nil { return true }
        if entry.policy.order == .whileConnected { return false }
        return now - entry.published < Self.longestRepetition
    }

    /// Notes that the broker has rejected a filter for the moment.
    ///
    /// - Returns: The number of consecutive rejections.
    mutating func postpone(_ filter: TopicFilter, at now: Instant) -> Int {
        postponements.add(.subscribe(filter), at: now)
    }

    /// Sends the messages on a topic again that were held back, because the broker has accepted one, or rejects it for good.
    ///
    /// - Returns: Whether the rejections of the topic were reported.
    mutating func endPostponement(after entry: Outbox.Entry, isAccepted: Bool) -> Bool {
        guard postponements.contains(.publish(entry.message.topic)) else { return false }
        let wasReported = postponements.remove(.publish(entry.message.topic), isAccepted: isAccepted)
        let waiting = isAccepted ? held.takeAll(after: entry) : held.takeAll(entry.message.topic)
        if !waiting.isEmpty { outbox.insert(waiting) }
        return wasReported && isAccepted
    }

    mutating func endPostponement(of filter: TopicFilter) { _ = postponements.remove(.subscribe(filter)) }

    /// Returns the next topic or filter to send again; nil if none may be sent now.
    mutating func nextRepetition(at now: Instant) -> Access? {
        guard !postponements.isEmpty, inFlight.count < inFlight.window, isInRate(at: now) else { return nil }
        return postponements.next(at: now)
    }

    /// Removes and returns the unacknowledged messages, in the order in which they were published.
    mutating func takeRemaining(at now: Instant) -> [Outbox.Entry] {
        outbox.putBack(inFlight.unacknowledged + bundle.takeAll() + held.takeAll())
        var remaining: [Outbox.Entry] = []
        while let entry = outbox.next(at: now) {
            remaining.append(entry)
        }
        return remaining
    }
}

extension AccessRecord {
    fileprivate mutating func admit(_ message: Message, _ sequel: Outbox.Sequel?, at now: Instant) -> Verdict {
        admit(
            .publish(message.topic), size: message.payload.count,
            canBeReplaced: sequel?.fallback.map { $0.topic != message.topic } ?? false, at: now)
    }

    fileprivate func isAccepted(_ message: Message) -> Bool {
        isAccepted(.publish(message.topic), size: message.payload.count)
    }
}
