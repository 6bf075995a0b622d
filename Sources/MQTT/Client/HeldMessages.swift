import System

/// The messages that wait until the broker accepts their topic: bounded, and without superseded states.
struct HeldMessages {
    private let limits: Client.OutboxLimits
    /// The messages of each topic, in the order of publishing.
    private var entries: [Topic: [Outbox.Entry]] = [:]
    private(set) var count = 0
    /// The approximate memory that the messages use, in bytes.
    private(set) var size = 0
    /// The approximate memory of the messages that must stay, in bytes.
    private(set) var keptSize = 0
    /// The number of messages dropped because there was no space.
    private(set) var dropped = 0
    /// The number of messages that a newer message of the same topic replaced.
    private(set) var superseded = 0
    /// Kept messages for which there was no space: the client hands them over.
    private var displaced: [KeptMessage] = []
    /// Whether a kept message was added that is not copied.
    private(set) var needsCopies = false

    init(limits: Client.OutboxLimits) {
        self.limits = limits
    }

    var hasDisplaced: Bool { !displaced.isEmpty }

    /// The topics in the order of their first messages.
    var topics: [Topic] {
        entries.sorted { ($0.value.first?.place ?? 0) < ($1.value.first?.place ?? 0) }.map(\.key)
    }

    /// Returns the number of messages on the topics that match a condition.
    func count(where isMatch: (Topic) -> Bool) -> Int {
        entries.reduce(0) { $0 + (isMatch($1.key) ? $1.value.count : 0) }
    }

    /// Adds a message; a newer state replaces the older ones, unless they must stay.
    ///
    /// A state that is published again for a new connection does not replace the same kept state, as in `Outbox`.
    mutating func add(_ entry: Outbox.Entry) {
        let waiting = entries[entry.message.topic]?.last { $0.policy.order == .latest }
        let isAgain = waiting?.policy.isKept == true && waiting?.message.payload == entry.message.payload
        if entry.policy == .latest, isAgain { return }
        var list = takeAll(entry.message.topic) + [entry]
        list.sort { $0.place < $1.place }
        if let newest = list.last(where: { $0.policy.order == .latest }) {
            let all = list.count
            list.removeAll { $0.policy.order == .latest && $0.place != newest.place && !$0.mustStay }
            superseded += all - list.count
        }
        for entry in list { append(entry) }
    }

    private mutating func append(_ entry: Outbox.Entry) {
        guard count < limits.count, size + entry.message.size <= limits.size else {
            if entry.mustStay { displaced.append(entry.kept(isWaiting: false)) } else { dropped += 1 }
            return
        }
        count(entry, 1)
        entries[entry.message.topic, default: []].append(entry)
        if entry.needsCopy { needsCopies = true }
    }

    /// Removes and returns the first message of a topic; nil if there is none.
    mutating func takeFirst(_ topic: Topic) -> Outbox.Entry? {
        guard let entry = entries[topic]?.removeFirst() else { return nil }
        if entries[topic]?.isEmpty == true { entries[topic] = nil }
        count(entry, -1)
        return entry
    }

    /// Removes and returns the messages of a topic.
    mutating func takeAll(_ topic: Topic) -> [Outbox.Entry] {
        let list = entries.removeValue(forKey: topic) ?? []
        for entry in list { count(entry, -1) }
        return list
    }

    /// Removes and returns the messages of a topic after the broker has accepted one of them.
    ///
    /// An accepted state supersedes the older ones: they must not replace it at the broker.
    mutating func takeAll(after accepted: Outbox.Entry) -> [Outbox.Entry] {
        takeAll(accepted.message.topic).filter { entry in
            let isOlder =
                accepted.policy.order == .latest && entry.policy.order == .latest && entry.place < accepted.place
            guard isOlder else { return true }
            if entry.mustStay { displaced.append(entry.kept(isWaiting: false)) } else { superseded += 1 }
            return false
        }
    }

    /// Removes and returns all messages, in the order of publishing.
    mutating func takeAll() -> [Outbox.Entry] {
        defer { (entries, count, size, keptSize) = ([:], 0, 0, 0) }
        return entries.values.joined().sorted { $0.place < $1.place }
    }

    /// Replaces the payloads of the messages with those that `change` returns; nil: the payload remains.
    mutating func changePayloads(_ change: (Message) -> [UInt8]?) {
        for var entry in takeAll() {
            if let payload = change(entry.message) { entry.message.payload = payload }
            append(entry)
        }
    }

    // MARK: Kept messages

    /// Returns whether a kept message was published at or before a time and was not handed over.
    func hasKept(since time: Instant) -> Bool {
        keptSize > 0 && entries.values.contains { $0.contains { $0.mustStay && $0.published <= time } }
    }

    /// Returns all kept messages that were not handed over; only the newest of each state stays.
    mutating func handOver() -> [KeptMessage] {
        var list = displaced
        displaced = []
        guard keptSize > 0 else { return list }
        let all = takeAll()
        var newest: [Topic: Int] = [:]
        for entry in all where entry.policy.order == .latest { newest[entry.message.topic] = entry.place }
        for var entry in all {
            if entry.mustStay {
                let isWaiting = newest[entry.message.topic] == entry.place
                list.append(entry.kept(isWaiting: isWaiting))
                entry.custody = .owner
                guard isWaiting else { continue }
            }
            append(entry)
        }
        return list
    }

    // MARK: Copies

    /// Whether a message waits that was copied and not handed over.
    var hasCopied: Bool {
        keptSize > 0 && entries.values.contains { $0.contains { $0.custody == .clientWithCopy } }
    }

    /// Returns copies of the kept messages that were not copied, in the order of publishing.
    mutating func takeCopies() -> [KeptMessage] {
        guard needsCopies else { return [] }
        needsCopies = false
        var copies: [KeptMessage] = []
        for (topic, var list) in entries where list.contains(where: \.needsCopy) {
            for index in list.indices where list[index].needsCopy { copies.append(list[index].copied()) }
            entries[topic] = list
        }
        return copies.sorted { $0.place < $1.place }
    }

    private mutating func count(_ entry: Outbox.Entry, _ change: Int) {
        count += change
        size += change * entry.message.size
        if entry.mustStay { keptSize += change * entry.message.size }
    }
}
