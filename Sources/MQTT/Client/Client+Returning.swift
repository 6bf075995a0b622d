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

    /// So many connections may end with the same message before it is set aside.
    static let mostEnds = 3

    /// Puts back in line what was on its way, or about to be.
    ///
    /// - Parameter duration: How long the connection lasted.
    func takeBack(after duration: Duration) {
        let sent = inFlight.entries
        inFlight.removeAll()
        var unacknowledged = sent.filter { $0.message.qualityOfService != .atMostOnce }
        counts.dropped += sent.count - unacknowledged.count
        isSpent = !unacknowledged.isEmpty
        accuse(unacknowledged.first, duration)
        // It is the broker that is ill: it has taken nothing else either.
        let spared = setAside
        let isUnbearable = suspect?.ends == Self.mostEnds
        setAside = isUnbearable ? unacknowledged.removeFirst() : nil
        if isUnbearable { suspect = nil }
        outbox.putBack((spared.map { [$0] } ?? []) + unacknowledged + bundle)
        bundle.removeAll(keepingCapacity: true)
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

    /// The broker has taken something: it bears what was first, and what was set aside is the only thing that it does not.
    func judge() {
        if suspect != nil {
            suspect = nil
            window = widestWindow
        }
        if let unbearable = setAside {
            setAside = nil
            giveUp(unbearable, because: Self.unbearableReason(unbearable.message))
        }
    }

    /// Why a message is given up that the broker will not bear.
    private static func unbearableReason(_ message: Message) -> String {
        "the broker hangs up when it gets these \(message.payload.count) bytes: look at its limits and access rules"
    }
}
