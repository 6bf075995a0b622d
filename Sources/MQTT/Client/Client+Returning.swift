internal import EventLoop

/// What was on its way when its connection ended.
///
/// It goes back in line, and on its way again with what is left of its time, by another handle of libmosquitto: that one
/// would send it with its next connection as it was, however late that is, and each time anew (2.0.21).
extension Client {
    /// The message that was the first on its way when a connection ended.
    struct Suspect {
        let topic: Topic
        /// How many connections have ended so, one after the other.
        var ends = 1
    }

    /// So many connections may end with the same message before it is given up.
    static let mostEnds = 3

    /// Puts back in line what was on its way, or about to be.
    ///
    /// - Parameter duration: How long the connection lasted.
    /// - Returns: The message that the broker will not bear, which is given up.
    func takeBack(after duration: Duration) -> Outbox.Entry? {
        let sent = inFlight.entries
        inFlight.removeAll()
        var unacknowledged = sent.filter { $0.message.qualityOfService != .atMostOnce }
        counts.dropped += sent.count - unacknowledged.count
        isSpent = !unacknowledged.isEmpty
        accuse(unacknowledged.first, duration)
        let isUnbearable = suspect?.ends == Self.mostEnds
        let unbearable = isUnbearable ? unacknowledged.removeFirst() : nil
        if isUnbearable {
            suspect = nil
            backoff.reset()
        }
        outbox.putBack(unacknowledged + bundle)
        bundle.removeAll(keepingCapacity: true)
        return unbearable
    }

    /// Takes note of the message with which a connection ended.
    ///
    /// A broker takes messages in the order in which they come: if one of them is why it hangs up, then the first that it
    /// has not acknowledged. To be sure, that one goes alone with the next connection.
    private func accuse(_ entry: Outbox.Entry?, _ duration: Duration) {
        guard let entry else {
            suspect = nil
            return
        }
        let isAgain = suspect?.topic == entry.message.topic && duration < Backoff.steady
        suspect = Suspect(topic: entry.message.topic, ends: isAgain ? (suspect?.ends ?? 0) + 1 : 1)
    }

    /// The broker has taken what was first.
    func acquit() {
        suspect = nil
        window = widestWindow
    }

    /// Why a message is given up that the broker will not bear.
    static func unbearableReason(_ message: Message) -> String {
        "the broker hangs up when it gets these \(message.payload.count) bytes: look at its limits and access rules"
    }
}
