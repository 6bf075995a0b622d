/// Messages that are sent together before the loop waits.
///
/// While the loop handles notifications in batches, sending is deferred: the processor's caches have no room for both
/// the code that decodes and the code that sends.
struct Bundle {
    private var waiting: [Outbox.Entry] = []
    /// The messages that are being sent.
    ///
    /// The array keeps its capacity.
    private(set) var departing: [Outbox.Entry] = []

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }
    /// The approximate memory that the waiting messages use, in bytes.
    var size: Int { waiting.reduce(0) { $0 + $1.message.size } }

    mutating func append(_ entry: Outbox.Entry) {
        waiting.append(entry)
    }

    /// Moves the waiting messages to `departing`.
    mutating func depart() {
        swap(&waiting, &departing)
    }

    /// Empties `departing`.
    mutating func departed() {
        departing.removeAll(keepingCapacity: true)
    }

    /// Removes and returns the waiting messages.
    mutating func takeAll() -> [Outbox.Entry] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}
