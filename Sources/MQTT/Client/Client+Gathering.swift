internal import EventLoop

/// What the broker sends is small, and not all of it worth a wake-up.
extension Client {
    /// How many bytes must have come before they are read.
    ///
    /// An acknowledgement is four bytes long (MQTT 5, 3.4), and nobody waits for a single one unless messages wait for
    /// their turn: it is read with the next ones, or with a message from the broker, which is longer.
    var awaitedBytes: Int {
        guard case .connected = state, outbox.isEmpty, askedFor.isEmpty, !hasHandshakes, !isLeaving else { return 1 }
        return smallestArrival
    }

    /// A message may come in several pieces, of which the last is too short to be ready for reading by itself.
    func readRestSoon() {
        guard restReading == nil, awaitedBytes > 1 else { return }
        restReading = loop.schedule(after: .milliseconds(20)) {
            self.restReading = nil
            guard case .connected = self.state, let connection = self.connection else { return }
            self.attempt { () throws(LibraryError) in try connection.read() }
            self.settle()
        }
    }

    /// Without any subscription: enough for the acknowledgements of a wake-up to cost little.
    static let mostAwaited = 64

    /// How many bytes the smallest message takes that a subscription lets through.
    static func smallestArrival(_ filter: TopicFilter, _ subscription: Subscription) -> Int {
        subscription.qualityOfService == .exactlyOnce ? 1 : min(mostAwaited, filter.smallestMessage)
    }
}
