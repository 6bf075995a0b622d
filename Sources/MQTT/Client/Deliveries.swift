import System

/// The messages on their way to the broker: queued, bundled, or in flight.
struct Deliveries {
    private(set) var outbox: Outbox
    private(set) var inFlight: InFlight
    private var bundle = Bundle()
    private var denied = DeniedTopics()
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
    }

    /// - Parameters:
    ///   - limits: The limits of the queue.
    ///   - window: The configured maximum of messages in flight.
    init(limits: Client.OutboxLimits, window: UInt16) {
        outbox = Outbox(limits: limits)
        inFlight = InFlight(window: window)
    }

    /// Whether the broker has fallen behind the published messages.
    var isBehind: Bool { backlog.isBehind }
    /// Whether no message waits to be sent.
    var isSent: Bool { outbox.isEmpty && bundle.isEmpty }
    /// Whether each message was acknowledged.
    var isComplete: Bool { isSent && inFlight.isEmpty }
    var hasBundle: Bool { !bundle.isEmpty }
    var waitingCount: Int { outbox.count + bundle.count }
    /// The approximate memory that the waiting messages use, in bytes.
    var waitingSize: Int { outbox.size + bundle.size }
    /// The number of messages that can be sent now.
    var sendableCount: Int { min(inFlight.window - inFlight.count, waitingCount) }

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
        if !isConnected, policy.order == .connected { return .dropped }
        guard isConnected, canSend, outbox.isEmpty, bundle.count + inFlight.count < inFlight.window else {
            outbox.put(message, policy: policy, at: now)
            return .queued
        }
        let entry = outbox.pass(message, policy: policy, at: now)
        guard bundles || !bundle.isEmpty else { return .ready(entry) }
        let isFirst = bundle.isEmpty
        bundle.append(entry)
        return .bundled(isFirst: isFirst)
    }

    /// Adds a message to the queue.
    mutating func queue(
        _ message: Message, _ policy: QueuePolicy, sequel: Outbox.Sequel? = nil, at now: Instant
    ) {
        outbox.put(message, policy: policy, at: now, sequel: sequel)
    }

    /// Replaces the payloads of the queued messages with those that `change` returns; nil: the payload remains.
    mutating func changePayloads(_ change: (Message) -> [UInt8]?) { outbox.changePayloads(change) }

    /// Removes and returns the next message to send; nil if none waits, or if the window is full.
    mutating func next(at now: Instant) -> Outbox.Entry? {
        if let entry = bundle.takeFirst() { return entry }
        return inFlight.count < inFlight.window ? outbox.next(at: now).map(denied.replacing) : nil
    }

    /// Notes that the broker does not accept a message.
    mutating func deny(_ entry: Outbox.Entry) {
        denied.deny(entry)
    }

    /// Drops the queued values that are not the newest of their state.
    mutating func skipToNewest() {
        outbox.halt()
    }

    // MARK: Kept messages

    var hasDisplaced: Bool { outbox.hasDisplaced }
    /// The approximate memory of the queued messages that must be kept and were not handed over, in bytes.
    var keptSize: Int { outbox.keptSize }

    /// Returns whether a kept message was published at or before a time, and was neither accepted nor handed over.
    func hasKept(since time: Instant) -> Bool { outbox.hasKept(since: time) || inFlight.hasKept(since: time) }

    /// Returns the kept messages that the broker has not accepted and that were not handed over.
    mutating func handOver() -> [KeptMessage] { inFlight.handOver() + outbox.handOver() }

    // MARK: Backlog

    /// Returns whether the broker has fallen behind, after messages were queued.
    mutating func hasFallenBehind() -> Bool { backlog.grew(to: outbox.backlog) }

    /// Returns whether the broker has caught up, after messages were sent or dropped.
    mutating func hasCaughtUp() -> Bool { backlog.isBehind && backlog.shrank(to: outbox.backlog) }

    /// Resets the state of the backlog after the end of the connection; returns whether the broker was behind.
    mutating func endBacklog() -> Bool { backlog.end() }

    // MARK: In flight

    /// Applies the limits that the broker announced in CONNACK.
    mutating func connectionBegan(receiveMaximum: UInt16?, bestQuality: QualityOfService) {
        inFlight.connectionBegan(receiveMaximum: receiveMaximum, bestQuality: bestQuality)
    }

    /// Returns the quality of service to send with: the requested one, or the best that the broker supports.
    mutating func quality(for requested: QualityOfService) -> QualityOfService { inFlight.quality(for: requested) }

    /// Adds a message that was sent with the packet identifier that libmosquitto assigned.
    mutating func sent(_ entry: Outbox.Entry, as identifier: Int32) {
        inFlight.add(entry, as: identifier)
    }

    /// Removes and returns the message with a packet identifier; nil if no such message is in flight.
    mutating func acknowledged(_ identifier: Int32) -> Outbox.Entry? {
        defer { if isComplete { denied.forget() } }
        return inFlight.remove(identifier)
    }

    /// Returns whether the same message has been the oldest one in flight for at least `limit`.
    mutating func isStuck(for limit: Duration, at now: Instant) -> Bool { inFlight.isStuck(for: limit, at: now) }

    /// Clears the suspect; returns the message that makes the broker close connections, if there is one.
    mutating func clearSuspicion() -> Outbox.Entry? { inFlight.clearSuspicion() }

    /// Returns unacknowledged and unsent messages to the queue after the connection has ended.
    ///
    /// They are sent with the remaining time of their expiry, by a new handle of libmosquitto. The old handle would
    /// send them with their original expiry, and again with each connection (2.0.21).
    ///
    /// - Parameter duration: How long the connection lasted.
    /// - Returns: The number of lost messages, and whether libmosquitto needs a new handle.
    mutating func connectionEnded(after duration: Duration) -> (lost: Int, needsNewHandle: Bool) {
        let remainder = inFlight.connectionEnded(after: duration)
        outbox.putBack(remainder.returning + bundle.takeAll())
        return (remainder.lost, remainder.isKeptByLibrary)
    }

    /// Removes and returns the unacknowledged messages, in the order in which they were published.
    mutating func takeRemaining(at now: Instant) -> [Outbox.Entry] {
        outbox.putBack(inFlight.unacknowledged() + bundle.takeAll())
        var remaining: [Outbox.Entry] = []
        while let entry = outbox.next(at: now) {
            remaining.append(entry)
        }
        return remaining
    }
}
