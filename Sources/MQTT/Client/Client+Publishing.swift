internal import EventLoop

extension Client {
    /// Sends a message on its way, now or with others, or puts it in line.
    func enter(_ message: Message, _ keeping: Keeping) {
        let isConnected = if case .connected = state { true } else { false }
        guard isConnected, outbox.isEmpty, bundle.count + inFlight.count < window, !isSettling else {
            outbox.put(message, keeping: keeping, at: loop.now)
            return lineGrew()
        }
        let entry = outbox.pass(message, keeping: keeping, at: loop.now)
        if loop.isGathering || !bundle.isEmpty {
            if bundle.isEmpty { loop.beforeWaiting { self.settle() } }
            bundle.append(entry)
        } else {
            send(entry)
        }
    }

    /// Hands messages over to the library, as many as may be on their way.
    func handOver() {
        guard case .connected = state else { return }
        let count = min(window - inFlight.count, bundle.count + outbox.count)
        // Each packet on its own would cost both sides many times as much.
        if count > 1 { connection?.holdBack(true) }
        sendBundle()
        while case .connected = state, inFlight.count < window, let entry = outbox.next(at: loop.now) {
            send(entry)
        }
        if count > 1 { connection?.holdBack(false) }
        // It is the broker that the others wait for.
        if !outbox.isEmpty { loop.expectAnswer(within: .milliseconds(1)) }
        if isBehind { lineMoved() }
    }

    private func sendBundle() {
        swap(&bundle, &departing)
        for (index, entry) in departing.enumerated() {
            guard case .connected = state else {
                outbox.putBack(Array(departing[index...]))
                break
            }
            send(entry)
        }
        departing.removeAll(keepingCapacity: true)
    }

    private func send(_ entry: Outbox.Entry) {
        guard let connection else { return }
        // What the broker does not take it gets as well as it does (MQTT 5, 3.2.2.3.4).
        let quality = min(entry.message.qualityOfService, bestQuality)
        if quality == .exactlyOnce { hasHandshakes = true }
        do {
            inFlight.add(entry, as: try connection.publish(entry.message, as: quality))
        } catch {
            guard !error.endsConnection else {
                // Only a message that nobody acknowledges is lost here: the others are on their way by then.
                counts.dropped += 1
                connection.breakOff()
                return lost { .disconnected(reason: connection.words(for: error), retryIn: $0) }
            }
            giveUp(entry, because: error.description)
        }
    }

    /// The message cannot be delivered.
    func giveUp(_ entry: Outbox.Entry, because reason: String) {
        counts.dropped += 1
        handler(.undeliverable(entry.message, reason: reason))
        if let fallback = entry.fallback { outbox.put(fallback.message, keeping: .each, at: loop.now) }
    }

    /// The broker has taken a message, or has refused it.
    func published(_ identifier: Int32, _ failure: String?) {
        guard let entry = inFlight.remove(identifier) else { return }
        if suspect != nil || setAside != nil { judge() }
        if let failure {
            giveUp(entry, because: failure)
        } else {
            counts.sent += 1
        }
    }

    // MARK: Subscriptions

    /// Tells the broker of a wish.
    func ask(for filter: TopicFilter, _ subscription: Subscription) {
        guard let connection else { return }
        attempt { () throws(LibraryError) in
            askedFor[try connection.subscribe(to: filter, subscription)] = filter
        }
    }

    /// Tells the broker that these are wished for no more.
    func cancel(_ filters: some Collection<TopicFilter>) {
        guard case .connected = state, let connection else { return }
        if filters.count > 1 { connection.holdBack(true) }
        for filter in filters {
            attempt { () throws(LibraryError) in cancellations.insert(try connection.unsubscribe(from: filter)) }
        }
        if filters.count > 1 { connection.holdBack(false) }
        settle()
    }

    /// The broker has answered a wish.
    func answered(_ identifier: Int32, _ failure: String?) {
        guard let filter = askedFor.removeValue(forKey: identifier), subscriptions[filter] != nil else { return }
        handler(failure.map { .subscriptionRefused(filter, reason: $0) } ?? .subscribed(filter))
    }
}
