import EventLoop

/// The handling of a ready socket, and the readiness that the client waits for.
extension Client {
    /// Continues an attempt to connect when the socket is ready.
    ///
    /// - Parameters:
    ///   - readiness: The readiness of the socket.
    ///   - isFirst: Whether the socket is ready for the first time in this attempt.
    func continueHandshake(_ readiness: Readiness, isFirst: Bool) {
        guard let connection else { return }
        // libmosquitto would only report that the handshake failed, without the reason of the system.
        let isOver = !readiness.isDisjoint(with: [.hangUp, .error])
        if isOver, isFirst, let reason = connection.connectFailure() {
            connection.abort()
            return connectionEnded { delay, _ in .disconnected(reason: reason, retryIn: delay) }
        }
        // Both reading and writing continue a TLS handshake. `wantsToWrite` must not be used here: it is always true
        // during a handshake, and the loop would spin (2.0.11).
        attempt { () throws(LibraryError) in try read(connection) }
        attempt { () throws(LibraryError) in try connection.write() }
        update()
        // libmosquitto does not report a socket that was closed during the handshake (2.0.11).
        if case .connecting = state, isOver {
            connection.abort()
            let reason = ["the connection was closed during the handshake", connection.likelyCause]
            let text = reason.compactMap(\.self).joined(separator: ": ")
            connectionEnded { delay, _ in .disconnected(reason: text, retryIn: delay) }
        }
    }

    /// Ends an attempt to connect that the broker has not answered.
    func connectTimedOut() {
        connection?.abort()
        let reason = "\(endpoint) does not answer"
        connectionEnded { delay, _ in .disconnected(reason: reason, retryIn: delay) }
    }

    /// Reads after the other descriptors were handled and their messages were sent.
    ///
    /// A packet that is sent also acknowledges the broker's TCP segments. If the segments were read first, the kernel
    /// would send a separate acknowledgement, which costs as much as sending a bundle.
    func readAfterSending() {
        if deliveries.hasBundle { update() }
        if case .connected = state { exchange(reads: true) }
    }

    func exchange(reads: Bool) {
        guard let connection else { return }
        if reads { attempt { () throws(LibraryError) in try read(connection) } }
        if connection.wantsToWrite { attempt { () throws(LibraryError) in try connection.write() } }
        update()
        readRemainderSoon()
    }

    /// Reads what the broker has sent.
    func read(_ connection: Connection) throws(LibraryError) {
        // Not a copy of the messages in flight: a later change would copy all of them.
        try connection.read(expecting: deliveries.inFlight.count) { deliveries.inFlight.count(acknowledgedBy: $0) }
    }

    /// Calls a function of libmosquitto.
    ///
    /// If the call fails and libmosquitto has closed the socket, the connection has ended, even if libmosquitto reports
    /// no event.
    func attempt(_ call: () throws(LibraryError) -> Void) {
        do {
            try call()
        } catch {
            guard let connection, connection.descriptor == nil else { return }
            connection.record(
                .disconnected(reason: connection.disconnectReason(for: error), cause: connection.endCause(for: error)))
        }
    }

    /// Whether `update()` has anything to do after a message was published.
    var needsUpdate: Bool {
        guard deliveries.outbox.isEmpty, !deliveries.isRestrained, !isLookingUp, let connection else { return true }
        return !deliveries.hasBundle && (connection.hasEvents || connection.wantsToWrite)
    }

    /// The readiness that the loop waits for.
    var interest: Readiness {
        switch state {
        case .connecting(_, hasWritten: false): [.readable, .writable]
        case .connected where connection?.wantsToWrite == true: [.readable, .writable]
        default: .readable
        }
    }

    /// The number of bytes that must arrive before the socket is ready for reading.
    ///
    /// If no messages are queued, the client need not read an acknowledgement at once: it reads several together, or reads them
    /// with a message from the broker, which is longer. If messages are queued because the send window is full, it reads when
    /// there is room for all of them, or for a quarter of the window. With half the window, the broker waits for messages
    /// during a burst (measured: Tests/Benchmark/README.md).
    var readThreshold: Int {
        guard case .connected = state, !subscriptions.hasUnansweredRequests, !deliveries.access.hasTrials,
            !deliveries.postponements.hasTrial, !deliveries.inFlight.hasHandshakes, !closing.hasBegun
        else { return 1 }
        guard !deliveries.outbox.isEmpty else { return subscriptions.shortestMessage }
        return Self.acknowledgementLength * max(1, min(deliveries.outbox.count, deliveries.inFlight.count / 4))
    }

    /// The least number of bytes of an acknowledgement (MQTT 5, 3.4).
    private static let acknowledgementLength = 4
}
