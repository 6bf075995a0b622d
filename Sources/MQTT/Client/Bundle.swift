/// Messages that are sent together before the loop waits.
///
/// While the loop handles notifications in batches, sending is deferred: the processor's caches have no room for both
/// the code that decodes and the code that sends.
struct Bundle {
    /// The array keeps its capacity.
    private var entries: [Outbox.Entry] = []
    /// The index of the first message that has not been taken.
    private var head = 0

    var count: Int { entries.count - head }
    var isEmpty: Bool { count == 0 }
    /// The approximate memory that the messages use, in bytes.
    var size: Int { entries[head...].reduce(0) { $0 + $1.message.size } }

    mutating func append(_ entry: Outbox.Entry) {
        entries.append(entry)
    }

    /// Removes and returns the first message; nil if there is none.
    mutating func takeFirst() -> Outbox.Entry? {
        guard head < entries.count else { return nil }
        let entry = entries[head]
        head += 1
        if head == entries.count { clear() }
        return entry
    }

    /// Removes and returns all messages.
    mutating func takeAll() -> [Outbox.Entry] {
        defer { clear() }
        return Array(entries[head...])
    }

    private mutating func clear() {
        entries.removeAll(keepingCapacity: true)
        head = 0
    }
}
