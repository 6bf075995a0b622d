import EventLoop

/// Subscribing and unsubscribing.
extension Client {
    /// Subscribes now, if there is a connection, and again with each new connection.
    package nonisolated func subscribe(to filter: TopicFilter, _ subscription: Subscription = Subscription()) {
        assumeIsolated { client in
            client.subscriptions.add(filter, subscription)
            guard case .connected = client.state else { return }
            client.requestSubscription(to: filter, subscription)
            client.update()
        }
    }

    /// Ends a subscription.
    package nonisolated func unsubscribe(from filter: TopicFilter) {
        assumeIsolated { client in
            guard client.subscriptions.remove(filter) else { return }
            client.cancel([filter])
        }
    }

    /// Ends all subscriptions.
    package nonisolated func unsubscribeFromAll() {
        assumeIsolated { client in
            client.cancel(client.subscriptions.removeAll())
        }
    }

    func requestSubscription(to filter: TopicFilter, _ subscription: Subscription) {
        guard let connection else { return }
        attempt { () throws(LibraryError) in
            subscriptions.requested(filter, as: try connection.subscribe(to: filter, subscription))
        }
    }

    private func cancel(_ filters: [TopicFilter]) {
        guard case .connected = state, let connection else { return }
        if filters.count > 1 { connection.setCorked(true) }
        for filter in filters {
            attempt { () throws(LibraryError) in
                subscriptions.cancelled(as: try connection.unsubscribe(from: filter))
            }
        }
        if filters.count > 1 { connection.setCorked(false) }
        update()
    }

    func subscriptionAnswered(_ identifier: Int32, _ failure: String?) {
        guard let filter = subscriptions.answered(identifier) else { return }
        handler(failure.map { .subscriptionRefused(filter, reason: $0) } ?? .subscribed(filter))
    }
}
