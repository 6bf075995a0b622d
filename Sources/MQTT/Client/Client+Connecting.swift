internal import EventLoop

extension Client {
    /// Begins an attempt.
    func connect() {
        guard var connection else { return }
        if isSpent {
            do throws(ClientError) {
                connection = try Connection(settings)
            } catch {
                return tryAgain { .disconnected(reason: error.description, retryIn: $0) }
            }
            self.connection = connection
            isSpent = false
        }
        guard settings.endpoint.needsLookup else {
            return opened(failure: Self.open(connection, preferringIPv4: prefersIPv4))
        }
        state = .lookingUp
        Task(executorPreference: loop.tasks) { await self.lookUp(with: connection) }
    }

    private func lookUp(with connection: Connection) async {
        let failure = await TransientThread.run { [prefersIPv4] in
            Self.open(connection, preferringIPv4: prefersIPv4)
        }
        opened(failure: failure)
    }

    private static func open(_ connection: Connection, preferringIPv4 prefersIPv4: Bool) -> String? {
        do {
            try connection.open(preferringIPv4: prefersIPv4)
            return nil
        } catch {
            return connection.words(for: error)
        }
    }

    /// The attempt is under way, or has failed at once.
    private func opened(failure: String?) {
        // Closed while the name was looked up.
        guard connection != nil else { return }
        let deadline = loop.schedule(after: settings.patience) { self.gaveUp() }
        state = .connecting(deadline: deadline, hasWritten: false)
        if let failure {
            lost { .disconnected(reason: failure, retryIn: $0) }
        } else {
            settle()
        }
    }

    /// The broker has not answered in time.
    private func gaveUp() {
        connection?.breakOff()
        let reason = "\(settings.endpoint) does not answer"
        lost { .disconnected(reason: reason, retryIn: $0) }
    }

    // MARK: The socket

    /// Does what the socket is ready for.
    private func proceed(_ readiness: Readiness) {
        guard let connection else { return }
        switch state {
        case .connecting(let deadline, let hasWritten):
            // The library would only find that the handshake ends.
            let isOver = !readiness.isDisjoint(with: [.hangUp, .error])
            if isOver, !hasWritten, let reason = connection.socketFailure() {
                connection.breakOff()
                return lost { .disconnected(reason: reason, retryIn: $0) }
            }
            // In the middle of a TLS handshake reading and writing both mean to go on with it, and the library always
            // wants to write: it must not be asked, or the loop would spin (2.0.11).
            state = .connecting(deadline: deadline, hasWritten: true)
            attempt { () throws(LibraryError) in try connection.read() }
            attempt { () throws(LibraryError) in try connection.write() }
            settle()
            // A socket that hangs up during the handshake is taken for one that is merely slow (2.0.11).
            if case .connecting = state, isOver {
                connection.breakOff()
                let reason = ["the connection was closed during the handshake", connection.suspicion]
                lost { .disconnected(reason: reason.compactMap(\.self).joined(separator: ": "), retryIn: $0) }
            }
        case .connected where readiness == .readable && loop.isGathering:
            loop.afterDescriptors { self.readAfterSending() }
        case .connected:
            exchange(reads: readiness != .writable)
        default: break
        }
    }

    /// Reads what has come when the others have been handled, and what they published is sent.
    ///
    /// What is sent tells the broker's TCP that its answers have come. Were they read before, that would go out by itself,
    /// and cost as much as to send a batch.
    private func readAfterSending() {
        if !bundle.isEmpty { settle() }
        if case .connected = state { exchange(reads: true) }
    }

    private func exchange(reads: Bool) {
        guard let connection else { return }
        if reads { attempt { () throws(LibraryError) in try connection.read() } }
        if connection.wantsToWrite { attempt { () throws(LibraryError) in try connection.write() } }
        settle()
        readRestSoon()
    }

    /// Calls the library; when there is no connection afterwards, that is its end also where the library is silent.
    func attempt(_ call: () throws(LibraryError) -> Void) {
        do {
            try call()
        } catch {
            guard let connection, connection.descriptor == nil else { return }
            connection.note(.disconnected(reason: connection.words(forEnd: error)))
        }
    }

    /// Whether `settle()` has anything to do after a message was entered.
    var isUnsettled: Bool {
        guard outbox.isEmpty, !isLookingUp, let connection else { return true }
        return bundle.isEmpty && (connection.hasOccurrences || connection.wantsToWrite)
    }

    /// Takes in what the library has reported, hands over what may be sent, and waits for what comes next.
    func settle() {
        // The handler of an event may publish, which ends here again: the loop below takes care of it.
        guard !isSettling else { return }
        isSettling = true
        // While another thread looks up the broker's name the connection is its own.
        while !isLookingUp {
            connection?.takeOccurrences { take($0) }
            handOver()
            if connection?.hasOccurrences != true { break }
        }
        isSettling = false
        watch()
        if let closingStep, closingStep.isDone() { closingStep.end() }
    }

    private func take(_ occurrence: Occurrence) {
        switch occurrence {
        case .accepted(let resumed, let receiveMaximum, let quality):
            bestQuality = quality
            accepted(resumed: resumed, receiveMaximum)
        case .refused(let refusal): lost { .refused(refusal, retryIn: $0) }
        case .disconnected(let reason): lost { .disconnected(reason: reason, retryIn: $0) }
        case .received(let message):
            counts.received += 1
            handler(.received(message))
        case .published(let identifier, let failure): published(identifier, failure)
        case .subscribed(let identifier, let failure): answered(identifier, failure)
        case .unsubscribed(let identifier): cancellations.remove(identifier)
        }
    }

    /// Watches the socket that there is for what there is to do.
    private func watch() {
        let descriptor = isAlive ? connection?.descriptor : nil
        if let watched, watched != descriptor { unwatch() }
        guard let descriptor else { return }
        connection?.awaitBytes(awaitedBytes)
        if watched == nil {
            watched = descriptor
            loop.watch(descriptor, for: interest) { self.proceed($0) }
        } else {
            loop.rewatch(descriptor, for: interest)
        }
    }

    func unwatch() {
        if let watched { loop.unwatch(watched) }
        watched = nil
    }

    private var interest: Readiness {
        switch state {
        case .connecting(_, hasWritten: false): [.readable, .writable]
        case .connected where connection?.wantsToWrite == true: [.readable, .writable]
        default: .readable
        }
    }

    private var isLookingUp: Bool {
        if case .lookingUp = state { true } else { false }
    }

    private var isAlive: Bool {
        switch state {
        case .connecting, .connected: true
        case .idle, .waiting, .lookingUp: false
        }
    }

    // MARK: Beginning and end

    private func accepted(resumed: Bool, _ receiveMaximum: UInt16?) {
        guard case .connecting(let deadline, _) = state else { return }
        deadline.cancel()
        state = .connected(since: loop.now, heartbeat: heartbeat())
        counts.connections += 1
        widestWindow = min(Int(settings.window), Int(receiveMaximum ?? .max))
        window = suspect == nil ? widestWindow : 1
        for (filter, subscription) in subscriptions {
            ask(for: filter, subscription)
        }
        handler(.connected(resumed: resumed))
        // There is nothing else that could show it, or be lost.
        if setAside != nil, outbox.isEmpty, bundle.isEmpty, inFlight.isEmpty { judge() }
    }

    /// The library sends its signs of life only when it is asked, and notices only then that there are none.
    private func heartbeat() -> Timer {
        loop.schedule(after: min(.seconds(5), settings.keepAlive / 10)) {
            guard let connection = self.connection, case .connected(let since, _) = self.state else { return }
            self.state = .connected(since: since, heartbeat: self.heartbeat())
            // The answer to the last sign of life may be there: on its own it wakes nobody.
            self.attempt { () throws(LibraryError) in try connection.read() }
            self.attempt { () throws(LibraryError) in try connection.keepAlive() }
            self.settle()
        }
    }

    /// The connection, or the attempt at one, is over; the library may say so more than once.
    func lost(_ event: (Duration) -> Event) {
        switch state {
        case .idle, .waiting, .lookingUp: return
        case .connecting(let deadline, _):
            deadline.cancel()
            prefersIPv4.toggle()
        case .connected(let since, let heartbeat):
            heartbeat.cancel()
            // A broker that throws its clients out at once is one that needs time.
            let duration = loop.now - since
            if duration > Backoff.steady { backoff.reset() }
            takeBack(after: duration)
        }
        unwatch()
        askedFor.removeAll()
        cancellations.removeAll()
        lineEnded()
        if isClosing {
            state = .idle
        } else {
            tryAgain(event)
        }
        closingStep?.end()
    }

    private func tryAgain(_ event: (Duration) -> Event) {
        let delay = backoff.delay(share: .random(in: 0...1))
        state = .waiting(loop.schedule(after: delay) { self.connect() })
        handler(event(delay))
    }
}
