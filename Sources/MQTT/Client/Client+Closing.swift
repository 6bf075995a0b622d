internal import EventLoop

extension Client {
    /// Something that is waited for while the client is being closed.
    struct ClosingStep {
        let isDone: () -> Bool
        let end: () -> Void
    }

    /// A message that the broker has not acknowledged, and what was to go in its place if it does not take it.
    package struct Unsent: Sendable {
        package let message: Message
        package let fallback: Message?
    }

    /// Asks for nothing more, sends what waits, then the farewell, says good-bye, and leaves nothing open.
    ///
    /// What the broker has sent before it knows of that is still received, and may be answered. Where the broker cannot
    /// be told in time, it is left to find out, so that it publishes the will instead of the farewell.
    ///
    /// - Parameter limit: How long the broker may take; without a connection nothing is waited for.
    /// - Returns: The messages kept for `.each` that were not acknowledged, in order, without the farewell.
    @discardableResult
    package func close(within limit: Duration = .seconds(2), farewell: Message? = nil) async -> [Unsent] {
        guard !isLeaving else { return [] }
        isLeaving = true
        let deadline = loop.now + limit
        unsubscribeFromAll()
        await wait(until: deadline) { self.cancellations.isEmpty }
        if let farewell { outbox.put(farewell, keeping: .each, at: loop.now) }
        isClosing = true
        await wait(until: deadline) { self.inFlight.isEmpty && self.outbox.isEmpty }
        let remaining = takeRemaining()
        if case .connected = state, let connection {
            if remaining.isEmpty {
                connection.disconnect()
            } else {
                connection.breakOff()
            }
        }
        end()
        return remaining.filter { $0.keeping == .each && $0.message != farewell }
            .map { Unsent(message: $0.message, fallback: $0.fallback?.message) }
    }

    /// Waits until something is done, the connection is gone, or the time is over.
    private func wait(until deadline: Instant, _ isDone: @escaping () -> Bool) async {
        switch state {
        case .idle, .waiting: return
        case .lookingUp, .connecting, .connected: break
        }
        await withCheckedContinuation { continuation in
            let timer = loop.schedule(after: deadline - loop.now) { self.closingStep?.end() }
            closingStep = ClosingStep(isDone: isDone) {
                self.closingStep = nil
                timer.cancel()
                continuation.resume()
            }
            settle()
        }
    }

    /// Takes out what has not been acknowledged, in the order in which it was published.
    private func takeRemaining() -> [Outbox.Entry] {
        outbox.putBack((setAside.map { [$0] } ?? []) + inFlight.entries)
        setAside = nil
        var remaining: [Outbox.Entry] = []
        while let entry = outbox.next(at: loop.now) {
            remaining.append(entry)
        }
        return remaining
    }

    private func end() {
        switch state {
        case .idle, .lookingUp: break
        case .waiting(let timer): timer.cancel()
        case .connecting(let deadline, _): deadline.cancel()
        case .connected(_, let heartbeat): heartbeat.cancel()
        }
        state = .idle
        unwatch()
        lineEnded()
        // A thread that still looks up a name holds the connection, and frees it when it is done.
        connection = nil
    }
}
