internal import EventLoop

/// The messages that wait for the broker: bounded, in order, and where the line stands still of a state only the newest.
///
/// libmosquitto has a queue too, but one without any bound that keeps each value of a topic (2.0.21).
struct Outbox {
    /// A message in the line.
    struct Entry {
        var message: Message
        let keeping: Keeping
        /// Its place in the line, over all messages.
        let place: Int
        /// Since when its time to live runs.
        var since: Instant
        var fallback: Fallback?
    }

    /// What is published in the place of a message that the broker does not take.
    final class Fallback: Sendable {
        let message: Message

        init(_ message: Message) {
            self.message = message
        }
    }

    let limits: Client.OutboxLimits
    /// How many messages were pushed out by later ones.
    private(set) var dropped = 0
    /// How many values waited in vain, since a newer one of their state took their place.
    private(set) var superseded = 0
    /// How many messages became worthless while they waited.
    private(set) var expired = 0
    /// About how much memory the waiting messages take, in bytes.
    private(set) var size = 0

    private var states = FIFO<Entry>()
    private var events = FIFO<Entry>()
    private var numbers: [Topic: Int] = [:]
    private var places = 0
    /// Whether each value of a state has its own turn: all that waited when the line last stood still has gone.
    private var isMoving = false

    init(limits: Client.OutboxLimits) {
        self.limits = limits
    }

    var count: Int { states.count + events.count }
    var isEmpty: Bool { count == 0 }
    /// How many messages wait beside the newest of each state.
    var backlog: Int { count - numbers.count }

    /// Puts a message in line.
    ///
    /// In a line that moves, each value of a state has its own turn; in one that does not, it takes the place of the one
    /// that it replaces. When there is no room, the values go that are not the newest of their state, then the oldest
    /// events, then the oldest states.
    mutating func put(_ message: Message, keeping: Keeping, at now: Instant, fallback: Fallback? = nil) {
        switch keeping {
        case .each:
            var entry = newEntry(message, keeping, now)
            entry.fallback = fallback
            _ = events.append(entry)
        case .latest:
            if !isMoving, let number = numbers[message.topic], let waiting = states[number] {
                size += message.size - waiting.message.size
                superseded += 1
                states.replace(
                    number, with: Entry(message: message, keeping: keeping, place: waiting.place, since: now))
            } else {
                numbers[message.topic] = states.append(newEntry(message, keeping, now))
            }
        }
        makeRoom()
    }

    /// Puts messages that have not arrived back where they were in line, which stands still then.
    mutating func putBack(_ entries: [Entry]) {
        var line = entries
        while let entry = takeFirst() { line.append(entry) }
        line.sort { $0.place < $1.place }
        for entry in line {
            size += entry.message.size
            switch entry.keeping {
            case .each: _ = events.append(entry)
            case .latest: numbers[entry.message.topic] = states.append(entry)
            }
        }
        halt()
        makeRoom()
    }

    /// The place in line of a message that has nobody before it and goes on at once.
    mutating func pass(_ message: Message, keeping: Keeping, at now: Instant) -> Entry {
        precondition(isEmpty, "a message passes \(count) that were there before it")
        places += 1
        return Entry(message: message, keeping: keeping, place: places, since: now)
    }

    /// The line does not move any more, or not as fast as it grows: of each state only the newest stays.
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

    /// Takes the message out that is first in line, with what is left of its time to live.
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

    private mutating func makeRoom() {
        if isFull, isMoving { halt() }
        while isFull {
            _ = events.isEmpty ? takeState() : takeEvent()
            dropped += 1
        }
    }

    private mutating func newEntry(_ message: Message, _ keeping: Keeping, _ now: Instant) -> Entry {
        places += 1
        size += message.size
        return Entry(message: message, keeping: keeping, place: places, since: now)
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
