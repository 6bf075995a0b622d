internal import EventLoop

extension Client {
    /// Hands messages over to the library, as many as may be on their way.
    func handOver() {
        guard case .connected = state, let connection else { return }
        while inFlight.count < window, let entry = outbox.next(at: loop.now) {
            do {
                inFlight[try connection.publish(entry.message)] = entry
            } catch {
                counts.dropped += 1
                guard !error.endsConnection else {
                    // Only a message that nobody acknowledges is lost here: the library keeps the others.
                    connection.breakOff()
                    return lost { .disconnected(reason: connection.words(for: error), retryIn: $0) }
                }
                handler(.undeliverable(entry.message, reason: error.description))
            }
        }
    }

    /// The broker has taken a message, or has refused it.
    func published(_ identifier: Int32, _ failure: String?) {
        guard let entry = inFlight.removeValue(forKey: identifier) else { return }
        if let failure {
            counts.dropped += 1
            handler(.undeliverable(entry.message, reason: failure))
        } else {
            counts.sent += 1
        }
    }

    /// Forgets what the library forgets with its connection; all else it sends again.
    func dropUnacknowledgeable() {
        let before = inFlight.count
        inFlight = inFlight.filter { $0.value.message.qualityOfService != .atMostOnce }
        counts.dropped += before - inFlight.count
    }

    // MARK: Subscriptions

    /// Tells the broker of a wish.
    func ask(for filter: TopicFilter, _ subscription: Subscription) {
        guard let connection else { return }
        attempt { () throws(LibraryError) in
            askedFor[try connection.subscribe(to: filter, subscription)] = filter
        }
    }

    /// The broker has answered a wish.
    func answered(_ identifier: Int32, _ failure: String?) {
        guard let filter = askedFor.removeValue(forKey: identifier), subscriptions[filter] != nil else { return }
        handler(failure.map { .subscriptionRefused(filter, reason: $0) } ?? .subscribed(filter))
    }
}
