import EventLoop
import System

/// The messages queued for the broker: bounded, and in the order of publishing.
///
/// libmosquitto has a queue as well, but it is unbounded and keeps each value of a topic (2.0.21).
struct Outbox {
    /// A queued message.
    struct Entry {
        var message: Message
        let policy: QueuePolicy
        /// The position in the order of publishing, over all messages.
        let place: Int
        /// The time from which the expiry of the message is measured.
        var since: Instant
        var fallback: Fallback?
    }

    /// A message that is published if the broker does not accept another message.
    final class Fallback: Sendable {
        let message: Message

        init(_ message: Message) {
            self.message = message
        }
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

    private var states = FIFO<Entry>()
    private var events = FIFO<Entry>()
    private var numbers: [Topic: Int] = [:]
    private var places = 0
    /// Whether each value of a state is kept: true if the queue has been empty since the last `halt()`.
    private var isMoving = false

    init(limits: Client.OutboxLimits) {
        self.limits = limits
    }

    var count: Int { states.count + events.count }
    var isEmpty: Bool { count == 0 }
    /// The number of messages, without the newest of each state.
    var backlog: Int { count - numbers.count }

    /// Adds a message.
    ///
    /// If `isMoving` is true, each value of a state has its own place. Otherwise a new value replaces the older value.
    /// A full outbox drops first the values that are not the newest of their state, then the oldest events, then the
    /// oldest states.
    mutating func put(_ message: Message, policy: QueuePolicy, at now: Instant, fallback: Fallback? = nil) {
        switch policy {
        case .each:
            var entry = newEntry(message, policy, now)
            entry.fallback = fallback
            _ = events.append(entry)
        case .latest:
            if !isMoving, let number = numbers[message.topic], let waiting = states[number] {
                size += message.size - waiting.message.size
                superseded += 1
                states.replace(
                    number, with: Entry(message: message, policy: policy, place: waiting.place, since: now))
            } else {
                numbers[message.topic] = states.append(newEntry(message, policy, now))
            }
        }
        dropExcess()
    }

    /// Adds messages that were not acknowledged at their original places, and calls `halt()`.
    mutating func putBack(_ entries: [Entry]) {
        var line = entries
        while let entry = takeFirst() { line.append(entry) }
        line.sort { $0.place < $1.place }
        for entry in line {
            size += entry.message.size
            switch entry.policy {
            case .each: _ = events.append(entry)
            case .latest: numbers[entry.message.topic] = states.append(entry)
            }
        }
        halt()
        dropExcess()
    }

    /// Returns an entry for a message that is sent at once, without adding it to the queue.
    ///
    /// - Precondition: The outbox is empty.
    mutating func pass(_ message: Message, policy: QueuePolicy, at now: Instant) -> Entry {
        precondition(isEmpty, "a message is sent before \(count) that were published earlier")
        places += 1
        return Entry(message: message, policy: policy, place: places, since: now)
    }

    /// Drops all but the newest value of each state, now and until the queue is empty.
    ///
    /// Called when the broker is slower than the publishers, or when the connection has ended.
    mutating func halt() {
        isMoving = false
        var newest = FIFO<Entry>()
        let old = numbers
        numbers = [:]
        while let (number, entry) = states.popNumbered() {
            if old[entry.message.topic] == number {
                numbers[entry.message.topic] = newest.append(entry)
            } else {
                size -= entry.message.size
                superseded += 1
            }
        }
        states = newest
    }

    /// Removes and returns the first message that has not expired, with the remaining time of its expiry; nil if there
    /// is none.
    mutating func next(at now: Instant) -> Entry? {
        while var entry = takeFirst() {
            guard let expiry = entry.message.expiry else { return entry }
            let left = expiry - (now - entry.since)
            if left > .zero {
                entry.message.expiry = left
                entry.since = now
                return entry
            }
            expired += 1
        }
        isMoving = true
        return nil
    }

    private var isFull: Bool { count > limits.count || size > limits.size }

    private mutating func dropExcess() {
        if isFull, isMoving { halt() }
        while isFull {
            _ = events.isEmpty ? takeState() : takeEvent()
            dropped += 1
        }
    }

    private mutating func newEntry(_ message: Message, _ policy: QueuePolicy, _ now: Instant) -> Entry {
        places += 1
        size += message.size
        return Entry(message: message, policy: policy, place: places, since: now)
    }

    private mutating func takeFirst() -> Entry? {
        guard let state = states.first else { return takeEvent() }
        guard let event = events.first else { return takeState() }
        return state.place < event.place ? takeState() : takeEvent()
    }

    private mutating func takeEvent() -> Entry? {
        let entry = events.popFirst()
        size -= entry?.message.size ?? 0
        return entry
    }

    private mutating func takeState() -> Entry? {
        guard let (number, entry) = states.popNumbered() else { return nil }
        if numbers[entry.message.topic] == number { numbers[entry.message.topic] = nil }
        size -= entry.message.size
        return entry
    }
}
