import EventLoop

/// Subscribing and unsubscribing.
extension Client {
    /// Subscribes now, if there is a connection, and again with each new connection.
    package nonisolated func subscribe(to filter: TopicFilter, _ subscription: Subscription = Subscription()) {
        assumeIsolated { client in
            client.subscriptions.add(filter, subscription)
            guard case .connected = client.state else { return }
            client.requestIfAdmitted(filter, subscription)
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

    /// Requests the wanted subscriptions that were not requested in this connection, if the broker accepts them.
    func requestSubscriptions() {
        for filter in subscriptions.unrequested {
            if let subscription = subscriptions.wanted[filter] { requestIfAdmitted(filter, subscription) }
        }
    }

    private func requestIfAdmitted(_ filter: TopicFilter, _ subscription: Subscription) {
        if admit(filter) { requestSubscription(to: filter, subscription) }
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

    func subscriptionAnswered(_ identifier: Int32, _ rejection: Rejection?) {
        guard let filter = subscriptions.answered(identifier) else { return }
        noteAnswer(.subscribe(filter))
        guard let rejection, rejection.isTemporary, let subscription = subscriptions.wanted[filter] else {
            endPostponement(of: filter)
            guard let subscription = subscriptions.wanted[filter] else { return }
            guard let rejection else { return handler(.subscribed(filter)) }
            return report(filter, subscription, rejection)
        }
        if postpone(filter) == 1 { report(filter, subscription, rejection) }
    }

    private func report(_ filter: TopicFilter, _ subscription: Subscription, _ rejection: Rejection) {
        guard !subscription.isOptional else { return }
        handler(.subscriptionRefused(filter, reason: "\(rejection)", isTemporary: rejection.isTemporary))
    }
}
