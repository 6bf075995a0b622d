extension Client {
    /// Counters since the client was created, and the size of the queue.
    package struct Statistics: Hashable, Sendable {
        /// The number of connections that a broker accepted.
        package var connections = 0
        /// The number of messages that the broker acknowledged, or that were sent with quality of service 0.
        package var sent = 0
        /// The number of messages that the broker sent.
        package var received = 0
        /// The number of messages that did not fit into the outbox, were lost with a connection, or could not be sent.
        package var dropped = 0
        /// The number of queued messages that a newer message of the same topic replaced.
        package var superseded = 0
        /// The number of queued messages that reached their expiry.
        package var expired = 0
        /// The number of messages in the queue.
        package var waiting = 0
        /// The number of messages that wait because the broker has closed connections, or rejects their topic.
        package var held = 0
        /// The number of rejections for the moment; most such messages are sent again.
        package var rejected = 0
        /// The approximate memory that the queue uses, in bytes.
        package var waitingSize = 0
        /// The number of messages in flight: sent and not acknowledged.
        package var unacknowledged = 0
    }

    /// The counters, and the size of the queue.
    package nonisolated var statistics: Statistics {
        assumeIsolated { client in
            var statistics = client.counts
            statistics.dropped += client.deliveries.outbox.dropped + client.deliveries.held.dropped
            statistics.superseded += client.deliveries.outbox.superseded + client.deliveries.held.superseded
            statistics.held = client.deliveries.heldCount
            statistics.expired += client.deliveries.outbox.expired
            statistics.waiting = client.deliveries.waitingCount
            statistics.waitingSize = client.deliveries.waitingSize
            statistics.unacknowledged = client.deliveries.inFlight.count
            return statistics
        }
    }
}
