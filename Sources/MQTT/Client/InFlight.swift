import System

/// The messages that were sent and are not acknowledged yet, and the rules for sending more.
///
/// A broker acknowledges messages in the order in which it received them. The message of an acknowledgement is therefore
/// among the first, and a linear search is faster than a hash table.
struct InFlight {
    private var sent: [(identifier: Int32, entry: Outbox.Entry)] = []
    private var sendWindow: SendWindow
    /// Whether a message with quality of service 2 was sent: the broker's PUBREC needs a response.
    private(set) var hasHandshakes = false
    private var bestQuality = QualityOfService.exactlyOnce
    /// The oldest message at the last check, and when it was first found there; nil: there was none.
    private var oldest: (identifier: Int32, since: Instant)?

    /// - Parameter window: The configured maximum of messages in flight.
    init(window: UInt16) {
        sendWindow = SendWindow(most: window)
    }

    var count: Int { sent.count }
    var isEmpty: Bool { sent.isEmpty }
    /// The maximum number of messages in flight.
    var window: Int { sendWindow.size }

    /// Applies the limits that the broker announced in CONNACK.
    mutating func connectionBegan(_ limits: BrokerLimits) {
        bestQuality = limits.bestQuality
        sendWindow.open(receiveMaximum: limits.receiveMaximum)
    }

    /// Returns the quality of service to send with: the requested one, or the best that the broker supports.
    ///
    /// Source: MQTT 5, 3.2.2.3.4.
    mutating func quality(for requested: QualityOfService) -> QualityOfService {
        let quality = min(requested, bestQuality)
        if quality == .exactlyOnce { hasHandshakes = true }
        return quality
    }

    /// Adds a message that was sent with the packet identifier that libmosquitto assigned.
    mutating func add(_ entry: consuming Outbox.Entry, as identifier: Int32) {
        sent.append((identifier, entry))
    }

    /// Removes and returns the message with a packet identifier; nil if no such message is in flight.
    mutating func remove(_ identifier: Int32) -> Outbox.Entry? {
        guard let index = sent.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        return sent.remove(at: index).entry
    }

    /// Returns how many of the acknowledgements belong to the oldest messages, in order, before the first other one.
    func count(acknowledgedBy acknowledgements: Acknowledgements) -> Int {
        var count = 0
        for identifier in acknowledgements {
            guard count < sent.count, sent[count].identifier == identifier else { break }
            count += 1
        }
        return count
    }

    /// Returns whether a kept message that was published at or before a time was not handed over.
    func hasKept(since time: Instant) -> Bool {
        sent.contains { $0.entry.mustStay && $0.entry.published <= time }
    }

    /// Returns the kept messages that were not handed over; they remain in flight.
    mutating func handOver() -> [KeptMessage] {
        var list: [KeptMessage] = []
        for index in sent.indices where sent[index].entry.mustStay {
            sent[index].entry.custody = .owner
            list.append(sent[index].entry.kept(isWaiting: true))
        }
        return list
    }

    /// Replaces the payloads with those that `change` returns, for messages that are sent again or handed over.
    mutating func changePayloads(_ change: (Message) -> [UInt8]?) {
        for index in sent.indices {
            if let payload = change(sent[index].entry.message) { sent[index].entry.message.payload = payload }
        }
    }

    /// Whether a message is in flight that was copied and not handed over.
    var hasCopied: Bool { sent.contains { $0.entry.custody == .clientWithCopy } }

    /// Returns copies of the kept messages that were not copied.
    mutating func takeCopies() -> [KeptMessage] {
        sent.indices.filter { sent[$0].entry.needsCopy }.map { sent[$0].entry.copied() }
    }

    /// Returns whether the oldest message was the oldest one at each check for at least `limit`.
    ///
    /// The times of the messages are not stored, because this would slow each message down.
    mutating func isStuck(for limit: Duration, at now: Instant) -> Bool {
        guard let identifier = sent.first?.identifier else {
            oldest = nil
            return false
        }
        guard let oldest, oldest.identifier == identifier else {
            self.oldest = (identifier, now)
            return false
        }
        return now - oldest.since >= limit
    }

    /// The messages that were in flight at the end of their connection.
    struct Remainder {
        /// The messages that return to the queue, in the order in which they were sent.
        let returning: [Outbox.Entry]
        /// The number of lost messages: all messages with quality of service 0.
        let lost: Int
        /// Whether libmosquitto would send messages again with the same handle.
        let isKeptByLibrary: Bool
    }

    /// Removes the messages in flight after the end of their connection.
    mutating func connectionEnded() -> Remainder {
        let unacknowledged = sent.map(\.entry).filter { $0.message.qualityOfService != .atMostOnce }
        let lost = sent.count - unacknowledged.count
        sent.removeAll(keepingCapacity: true)
        oldest = nil
        return Remainder(returning: unacknowledged, lost: lost, isKeptByLibrary: !unacknowledged.isEmpty)
    }

    /// The unacknowledged messages.
    var unacknowledged: [Outbox.Entry] { sent.map(\.entry) }
}
