import Spool

/// The messages that were handed over and are not on the disk yet, and the numbers of those that may still be sent.
struct PendingRecords {
    /// Identifies a message of a client.
    struct Key: Hashable {
        /// The number of the publisher.
        let publisher: Int
        let place: Int
    }

    private struct Entry {
        let record: SpoolRecord
        /// The key of a message that the client may still send; nil if only the spool has it.
        var key: Key?
    }

    /// The memory in bytes above which the oldest messages are dropped: the disk does not accept them.
    private static let limit = 4 << 20

    private var waiting: [Entry] = []
    private var writing: [Entry] = []
    /// The indexes of the messages in `writing` that the broker has accepted.
    private var settledWhileWriting: Set<Int> = []
    /// The numbers of the records on the disk whose messages the client may still send.
    private var stored: [Key: Int64] = [:]
    /// The numbers of the records that the broker has accepted since they were written.
    private var accepted: [Int64] = []
    private(set) var size = 0
    /// The number of messages that were dropped because too many waited for the disk.
    private(set) var dropped = 0

    var count: Int { waiting.count + writing.count }
    var isEmpty: Bool { count == 0 }
    /// Whether there is anything to write.
    var hasWork: Bool { !waiting.isEmpty || !accepted.isEmpty }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - record: the message.
    ///   - key: the key, if the client may still send the message.
    mutating func add(_ record: SpoolRecord, key: Key?) {
        waiting.append(Entry(record: record, key: key))
        size += record.size
        while size > Self.limit, waiting.count > 1 {
            size -= waiting.removeFirst().record.size
            dropped += 1
        }
    }

    /// The broker has accepted a message that was handed over.
    mutating func settle(_ key: Key) {
        if let index = waiting.firstIndex(where: { $0.key == key }) {
            size -= waiting.remove(at: index).record.size
        } else if let id = stored.removeValue(forKey: key) {
            accepted.append(id)
        } else if let index = writing.firstIndex(where: { $0.key == key }) {
            settledWhileWriting.insert(index)
        }
    }

    /// Forgets which messages a client may still send: it has sent them, or newer ones in their place.
    mutating func forget(publisher: Int) {
        stored = stored.filter { $0.key.publisher != publisher }
        for index in waiting.indices where waiting[index].key?.publisher == publisher { waiting[index].key = nil }
        for index in writing.indices where writing[index].key?.publisher == publisher { writing[index].key = nil }
    }

    /// Returns the messages to write now; `written` must follow.
    mutating func take() -> [SpoolRecord] {
        (writing, waiting) = (waiting, [])
        return writing.map(\.record)
    }

    /// The first messages of `take()` are on the disk, with these numbers; the others wait again.
    mutating func written(_ ids: [Int64]) {
        for (index, id) in ids.enumerated() {
            size -= writing[index].record.size
            if settledWhileWriting.contains(index) {
                accepted.append(id)
            } else if let key = writing[index].key {
                stored[key] = id
            }
        }
        let rest = writing.indices.dropFirst(ids.count).filter { !settledWhileWriting.contains($0) }
        waiting = rest.map { writing[$0] } + waiting
        size = waiting.reduce(0) { $0 + $1.record.size }
        (writing, settledWhileWriting) = ([], [])
    }

    /// Removes and returns the oldest messages of a broker, to send them without the disk.
    ///
    /// - Parameters:
    ///   - most: The maximum number.
    ///   - broker: The broker.
    ///   - verdict: Returns what happens to a message; those of other gateways are removed too.
    /// - Returns: The messages to send.
    mutating func takeOldest(
        _ most: Int, of broker: String, _ verdict: (SpoolRecord) -> LateVerdict = { _ in .send }
    ) -> [SpoolRecord] {
        var taken: [SpoolRecord] = []
        waiting.removeAll { entry in
            guard taken.count < most, entry.record.broker == broker, entry.key == nil else { return false }
            switch verdict(entry.record) {
            case .wait: return false
            case .drop: break
            case .send: taken.append(entry.record)
            }
            size -= entry.record.size
            return true
        }
        return taken
    }

    /// The broker has not accepted a message of `takeOldest`: it waits again.
    mutating func putBack(_ record: SpoolRecord) {
        waiting.insert(Entry(record: record, key: nil), at: 0)
        size += record.size
    }

    /// Returns the numbers of the records that must be removed from the disk.
    mutating func takeAccepted() -> [Int64] {
        defer { accepted = [] }
        return accepted
    }

    /// The removal of records has failed: it is tried again.
    mutating func putBack(accepted ids: [Int64]) {
        accepted = ids + accepted
    }

    /// Drops all messages.
    mutating func removeAll() {
        waiting = []
        size = writing.reduce(0) { $0 + $1.record.size }
    }
}
