internal import EventLoop

extension Client {
    /// Sends what waits, then the farewell, says good-bye, and leaves nothing open.
    ///
    /// Where the broker cannot be told in time, it is left to find out, so that it publishes the will instead of the
    /// farewell.
    ///
    /// - Parameter limit: How long the broker may take; without a connection nothing is waited for.
    /// - Returns: The messages kept for `.each` that were not acknowledged, in order, without the farewell.
    @discardableResult
    package func close(within limit: Duration = .seconds(2), farewell: Message? = nil) async -> [Message] {
        guard !isClosing else { return [] }
        if let farewell { outbox.put(farewell, keeping: .each, at: loop.now) }
        isClosing = true
        await flush(within: limit)
        let remaining = takeRemaining()
        if case .connected = state, let connection {
            if remaining.isEmpty {
                connection.disconnect()
            } else {
                connection.breakOff()
            }
        }
        end()
        return remaining.filter { $0.keeping == .each && $0.message != farewell }.map(\.message)
    }

    /// Waits until all is sent, the connection is gone, or the time is over.
    private func flush(within limit: Duration) async {
        switch state {
        case .idle, .waiting: return
        case .lookingUp, .connecting, .connected: break
        }
        await withCheckedContinuation { continuation in
            let deadline = loop.schedule(after: limit) { self.flushEnded?() }
            flushEnded = {
                self.flushEnded = nil
                deadline.cancel()
                continuation.resume()
            }
            settle()
        }
    }

    /// Takes out what has not been acknowledged, in the order in which it was published.
    private func takeRemaining() -> [Outbox.Entry] {
        var remaining = inFlight.entries.sorted { $0.place < $1.place }
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
