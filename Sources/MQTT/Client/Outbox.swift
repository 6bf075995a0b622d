import EventLoop
import System

/// The messages queued for the broker: bounded, and in the order of publishing.
///
/// libmosquitto has a queue as well, but it is unbounded and keeps each value of a topic (2.0.21).
///
/// A message that must be kept (`QueuePolicy.isKept`) leaves the queue only when it is sent, or when it is handed over.
struct Outbox {
    /// A queued message.
    struct Entry {
        var message: Message
        let policy: QueuePolicy
        /// The owner of a message that must be kept.
        var custody = Custody.client
        /// The position in the order of publishing, over all messages.
        let place: Int
        /// The time from which the expiry of the message is measured.
        var since: Instant
        /// The time of publishing.
        let published: Instant
        var sequel: Sequel?

        /// Whether the owner of the client stores the message.
        var isHandedOver: Bool { custody == .owner }
        /// Whether the message would be lost if it were dropped now.
        var mustStay: Bool { policy.isKept && !isHandedOver }
        /// Whether the message must be copied now, if messages are copied.
        var needsCopy: Bool { policy.isKept && custody == .client }

        /// Returns the entry with the remaining time of its expiry; nil if it has expired.
        func aged(at now: Instant) -> Entry? {
            guard let expiry = message.expiry else { return self }
            let left = expiry - (now - since)
            guard left > .zero else { return nil }
            var entry = self
            entry.message.expiry = left
            entry.since = now
            return entry
        }

        func kept(isWaiting: Bool) -> KeptMessage {
            KeptMessage(message: message, place: place, published: published, isWaiting: isWaiting)
        }

        /// Notes that the message is copied, and returns the copy.
        mutating func copied() -> KeptMessage {
            custody = .clientWithCopy
            return kept(isWaiting: true)
        }
    }

    /// The owner of a message that must be kept.
    enum Custody {
        case client
        /// The client, which has reported or will report a copy (`Event.copied`).
        case clientWithCopy
        /// The owner of the client (`Event.kept`).
        case owner
    }

    /// The actions at the end of a message's way.
    final class Sequel: Sendable {
        /// The message that is published if the broker does not accept this one.
        let fallback: Message?
        /// Called once with whether the broker has accepted the message.
        let completion: (@Sendable (_ isAccepted: Bool) -> Void)?

        /// Objects of the publisher that exist until the message is accepted or dropped.
        private let objects: [any AnyObject & Sendable]

        init(
            fallback: Message? = nil, completion: (@Sendable (_ isAccepted: Bool) -> Void)? = nil,
            holding objects: [any AnyObject & Sendable] = []
        ) {
            self.fallback = fallback
            self.objects = objects
            self.completion = completion
        }

        /// Whether the publisher has reserved room for the message: others are dropped before it.
        var isReserved: Bool { !objects.isEmpty }
        /// The actions at the end of the way of the fallback; nil: there are none.
        var ofFallback: Sequel? { objects.isEmpty ? nil : Sequel(holding: objects) }
    }

    private let limits: Client.OutboxLimits
    /// The number of messages dropped because the outbox was full.
    private(set) var dropped = 0
    /// The number of messages that a newer message of the same topic replaced.
    private(set) var superseded = 0
    /// The number of messages that reached their expiry.
    private(set) var expired = 0
    /// The approximate memory that the messages use, in bytes.
    private(set) var size = 0
    /// The approximate memory of the messages that must stay, in bytes.
    private(set) var keptSize = 0

    private var states = FIFO<Entry>()
    private var events = FIFO<Entry>()
    /// The messages for which their publisher has reserved room.
    private var reserved = FIFO<Entry>()
    private var numbers: [Topic: Int] = [:]
    private var places = 0
    /// Whether each value of a state is kept: true if the queue has been empty since the last `halt()`.
    private var isMoving = false
    /// Kept messages that had to leave the queue: the client hands them over.
    private var displaced: [KeptMessage] = []
    /// Whether kept messages are copied: the broker does not accept messages.
    private(set) var isCopying = false
    /// Copies that were not reported.
    private var copies: [KeptMessage] = []

    init(limits: Client.OutboxLimits) {
        self.limits = limits
    }

    /// The number of messages.
    private(set) var count = 0
    var isEmpty: Bool { count == 0 }
    /// The number of messages, without the newest of each state.
    var backlog: Int { count - numbers.count }
    var hasDisplaced: Bool { !displaced.isEmpty }

    /// Adds a message.
    ///
    /// If `isMoving` is true, each value of a state has its own place. Otherwise a new value replaces the older value,
    /// unless the older value must stay. A full outbox hands over the kept messages. Then it drops first the values that
    /// are not the newest of their state, then the oldest events, then the oldest states, and last the messages for which
    /// their publisher has reserved room.
    mutating func put(_ message: Message, policy: QueuePolicy, at now: Instant, sequel: Sequel? = nil) {
        switch policy.order {
        case .each, .whileConnected:
            var entry = newEntry(message, policy, now)
            entry.sequel = sequel
            appendEvent(entry)
        case .latest:
            putState(message, policy, now)
        }
        dropExcess()
    }

    private mutating func putState(_ message: Message, _ policy: QueuePolicy, _ now: Instant) {
        guard !isMoving, let number = numbers[message.topic], let waiting = states[number] else {
            numbers[message.topic] = states.append(newEntry(message, policy, now))
            return
        }
        // A state that is published again for a new connection waits already.
        if waiting.policy.isKept, !policy.isKept, waiting.message.payload == message.payload { return }
        guard !waiting.mustStay else {
            numbers[message.topic] = states.append(newEntry(message, policy, now))
            return
        }
        if !waiting.policy.isKept { superseded += 1 }
        shrink(by: waiting)
        // The place of a kept message identifies it.
        let place = policy.isKept ? nil : waiting.place
        states.replace(number, with: newEntry(message, policy, now, place: place))
    }

    /// Replaces the payloads of the queued messages with those that `change` returns; nil: the payload remains.
    mutating func changePayloads(_ change: (Message) -> [UInt8]?) {
        var (growth, keptGrowth) = (0, 0)
        func replace(_ entry: inout Entry) {
            guard let payload = change(entry.message) else { return }
            let before = entry.message.size
            entry.message.payload = payload
            growth += entry.message.size - before
            if entry.mustStay { keptGrowth += entry.message.size - before }
        }
        states.changeEach(replace)
        events.changeEach(replace)
        reserved.changeEach(replace)
        size += growth
        keptSize += keptGrowth
    }

    /// Adds messages at their original places after the end of a connection, and calls `halt()`.
    ///
    /// Messages that need a connection are dropped.
    mutating func putBack(_ entries: [Entry]) {
        insert(entries)
        for entry in removeAll(where: { $0.policy.order == .whileConnected }) {
            // The owner of a message with a completion publishes it again.
            if entry.sequel == nil { dropped += 1 }
            entry.sequel?.completion?(false)
        }
    }

    /// Adds messages at their original places, and calls `halt()`.
    mutating func insert(_ entries: [Entry]) {
        var line = entries
        while let entry = takeFirst() { line.append(entry) }
        line.sort { $0.place < $1.place }
        for var entry in line {
            grow(by: entry)
            if isCopying, entry.needsCopy { copies.append(entry.copied()) }
            if entry.policy.order == .latest {
                numbers[entry.message.topic] = states.append(entry)
            } else {
                appendEvent(entry)
            }
        }
        halt()
        dropExcess()
    }

    private mutating func appendEvent(_ entry: Entry) {
        if entry.sequel?.isReserved == true { _ = reserved.append(entry) } else { _ = events.append(entry) }
    }

    /// Removes and returns the messages that match a condition, in the order of publishing.
    mutating func removeAll(where isMatch: (Entry) -> Bool) -> [Entry] {
        guard states.contains(where: isMatch) || events.contains(where: isMatch) || reserved.contains(where: isMatch)
        else { return [] }
        var (removed, rest): ([Entry], [Entry]) = ([], [])
        while let entry = takeFirst() {
            if isMatch(entry) { removed.append(entry) } else { rest.append(entry) }
        }
        insert(rest)
        return removed
    }

    /// Returns an entry for a message that is sent at once, without adding it to the queue.
    ///
    /// - Precondition: The outbox is empty.
    mutating func pass(_ message: Message, policy: QueuePolicy, at now: Instant) -> Entry {
        precondition(isEmpty, "a message is sent before \(count) that were published earlier")
        return entry(for: message, policy, at: now)
    }

    /// Returns an entry with the next place, without adding it to the queue.
    mutating func entry(
        for message: Message, _ policy: QueuePolicy, sequel: Sequel? = nil, at now: Instant
    ) -> Entry {
        places += 1
        return Entry(message: message, policy: policy, place: places, since: now, published: now, sequel: sequel)
    }

    /// Drops all but the newest value of each state, now and until the queue is empty; kept values stay.
    ///
    /// Called when the broker is slower than the publishers, or when the connection has ended.
    mutating func halt() {
        isMoving = false
        rebuildStates { entry, isNewest in isNewest || entry.mustStay }
    }

    /// Removes and returns the first message that has not expired, with the remaining time of its expiry; nil if there
    /// is none.
    mutating func next(at now: Instant) -> Entry? {
        while let entry = takeFirst() {
            if entry.message.expiry == nil { return entry }
            if let entry = entry.aged(at: now) { return entry }
            noteExpired(entry)
        }
        isMoving = true
        return nil
    }

    /// Counts a message that has expired, or hands it over if it must be kept.
    mutating func noteExpired(_ entry: Entry) {
        if entry.mustStay {
            displaced.append(entry.kept(isWaiting: false))
        } else {
            expired += 1
        }
    }

    // MARK: Kept messages

    /// Returns whether a kept message was published at or before a time and was not handed over.
    func hasKept(since time: Instant) -> Bool {
        keptSize > 0
            && (states.contains { $0.mustStay && $0.published <= time }
                || events.contains { $0.mustStay && $0.published <= time })
    }

    /// Returns all kept messages that were not handed over.
    ///
    /// The newest message of each state remains in the queue, so that it is published first after the next connection.
    mutating func handOver() -> [KeptMessage] {
        guard keptSize > 0 else { return takeDisplaced() }
        var list: [(place: Int, kept: KeptMessage)] = []
        rebuildStates { entry, isNewest in
            guard entry.mustStay else { return true }
            list.append((entry.place, entry.kept(isWaiting: isNewest)))
            entry.custody = .owner
            return isNewest
        }
        let old = events
        events = FIFO()
        old.forEach { entry in
            if entry.mustStay {
                list.append((entry.place, entry.kept(isWaiting: false)))
                size -= entry.message.size
                count -= 1
            } else {
                _ = events.append(entry)
            }
        }
        keptSize = 0
        list.sort { $0.place < $1.place }
        return takeDisplaced() + list.map(\.kept)
    }

    // MARK: Copies

    var hasCopies: Bool { !copies.isEmpty }
    /// Whether a message waits that was copied and not handed over.
    var hasCopied: Bool {
        states.contains { $0.custody == .clientWithCopy } || events.contains { $0.custody == .clientWithCopy }
    }

    /// Copies the kept messages, and each further one.
    mutating func startCopying() {
        guard !isCopying else { return }
        isCopying = true
        var copies: [KeptMessage] = []
        func copy(_ entry: inout Entry) { if entry.needsCopy { copies.append(entry.copied()) } }
        states.changeEach(copy)
        events.changeEach(copy)
        self.copies = copies.sorted { $0.place < $1.place }
    }

    /// Copies no further messages, and drops the copies that were not reported.
    mutating func stopCopying() {
        isCopying = false
        copies = []
    }

    /// Removes and returns the copies that were not reported.
    mutating func takeCopies() -> [KeptMessage] {
        defer { copies = [] }
        return copies
    }

    private mutating func takeDisplaced() -> [KeptMessage] {
        defer { displaced = [] }
        return displaced
    }

    /// Keeps the states for which `isIncluded` returns true; the others count as superseded.
    private mutating func rebuildStates(_ isIncluded: (inout Entry, _ isNewest: Bool) -> Bool) {
        var remaining = FIFO<Entry>()
        let old = numbers
        numbers = [:]
        (count, size, keptSize) = (0, 0, 0)
        events.forEach { grow(by: $0) }
        reserved.forEach { grow(by: $0) }
        while let (number, popped) = states.popNumbered() {
            var entry = popped
            let isNewest = old[entry.message.topic] == number
            guard isIncluded(&entry, isNewest) else {
                if !entry.policy.isKept { superseded += 1 }
                continue
            }
            grow(by: entry)
            let place = remaining.append(entry)
            if isNewest { numbers[entry.message.topic] = place }
        }
        states = remaining
    }

    // MARK: Size

    private var isFull: Bool { count > limits.count || size > limits.size }

    private mutating func dropExcess() {
        guard isFull else { return }
        if isMoving { halt() }
        if isFull, keptSize > 0 { displaced = handOver() }
        while isFull {
            _ = takeEvent() ?? takeState() ?? takeReserved()
            dropped += 1
        }
    }

    private mutating func newEntry(
        _ message: Message, _ policy: QueuePolicy, _ now: Instant, place: Int? = nil
    ) -> Entry {
        if place == nil { places += 1 }
        var entry = Entry(message: message, policy: policy, place: place ?? places, since: now, published: now)
        grow(by: entry)
        if isCopying, policy.isKept { copies.append(entry.copied()) }
        return entry
    }

    private mutating func grow(by entry: Entry) {
        let bytes = entry.message.size
        count += 1
        size += bytes
        if entry.mustStay { keptSize += bytes }
    }

    private mutating func shrink(by entry: Entry) {
        let bytes = entry.message.size
        count -= 1
        size -= bytes
        if entry.mustStay { keptSize -= bytes }
    }

    private mutating func takeFirst() -> Entry? {
        if let place = reserved.first?.place, place < min(states.first?.place ?? .max, events.first?.place ?? .max) {
            return takeReserved()
        }
        guard let state = states.first else { return takeEvent() }
        guard let event = events.first else { return takeState() }
        return state.place < event.place ? takeState() : takeEvent()
    }

    private mutating func takeReserved() -> Entry? {
        guard let entry = reserved.popFirst() else { return nil }
        shrink(by: entry)
        return entry
    }

    private mutating func takeEvent() -> Entry? {
        guard let entry = events.popFirst() else { return nil }
        shrink(by: entry)
        return entry
    }

    private mutating func takeState() -> Entry? {
        guard let (number, entry) = states.popNumbered() else { return nil }
        if numbers[entry.message.topic] == number { numbers[entry.message.topic] = nil }
        shrink(by: entry)
        return entry
    }
}
