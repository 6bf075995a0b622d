package import EventLoop
import System

/// An MQTT client that connects, and connects again after each failure, until it is closed.
///
///     let client = try Client(settings, on: loop) { event in … }
///     client.subscribe(to: "bluefleet/+/set")
///     client.start()
///     client.publish(Message("bluefleet/freezer/temperature", payload, isRetained: true), policy: .latest)
///     …
///     await client.close(within: .seconds(2), lastMessage: offline)
///
/// The client calls its handler on its loop. All functions except `close` must be called on this loop. Messages that
/// are published without a connection are queued in a bounded outbox. The client requests its subscriptions from the
/// broker with each connection.
///
/// The loop retains a started client until it is closed.
package actor Client: LoopBound {
    package nonisolated let loop: EventLoop
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    private(set) var settings: Settings
    let handler: @Sendable (Event) -> Void
    /// The connection to the broker; nil after the client is closed.
    private(set) var connection: Connection?
    private(set) var state = State.idle
    private(set) var deliveries: Deliveries
    let subscriptions = Subscriptions()
    private(set) var reconnection: Reconnection
    private(set) var closing = Closing()
    private(set) var counts = Statistics()
    /// The timer of the next check of kept messages; nil while none waits.
    private var keepTimer: Timer?
    /// Whether kept messages were handed over since the last connection began.
    private var isOutageLong = false
    /// The socket that the loop watches; nil if there is none.
    private var watched: Int32?
    /// The timer that reads the rest of a message that may have arrived in part.
    private(set) var remainderRead: Timer?
    /// Whether `update()` is running; a handler that publishes calls `update()` again.
    private var isUpdating = false

    /// Creates a client that does nothing before `start()`.
    ///
    /// - Throws: `ClientError` for settings that can never work.
    package init(
        _ settings: Settings, on loop: EventLoop, handler: @escaping @Sendable (Event) -> Void
    ) throws(ClientError) {
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
        self.settings = settings
        self.handler = handler
        connection = try Connection(settings)
        deliveries = Deliveries(limits: settings.outbox, window: settings.window)
        reconnection = Reconnection(settings.backoff)
    }

    /// Starts the first attempt to connect; further calls do nothing.
    package nonisolated func start() {
        assumeIsolated { client in
            guard case .idle = client.state, client.connection != nil else { return }
            client.connect()
        }
    }

    // MARK: Publishing

    /// Publishes a message now, or as soon as the broker accepts it.
    ///
    /// The handler receives `undeliverable` for a message that can never be delivered.
    package nonisolated func publish(_ message: Message, policy: QueuePolicy) {
        isolated(message, policy) { client, message, policy in
            guard !client.closing.isDraining else {
                client.counts.dropped += 1
                return
            }
            client.submit(message, policy)
            if client.needsUpdate { client.update() }
        }
    }

    /// Replaces the payloads of the queued messages with those that `change` returns; nil: the payload remains.
    package nonisolated func changeQueuedPayloads(_ change: @Sendable (Message) -> [UInt8]?) {
        assumeIsolated { $0.deliveries.changePayloads(change) }
    }

    /// Publishes a message, or `fallback` if the broker does not accept it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fallback: The message that is published if the broker does not accept the first one.
    ///   - object: An object that exists until the broker has accepted the message or the message is dropped.
    package nonisolated func publish(
        _ message: Message, orElse fallback: Message, holding object: (any AnyObject & Sendable)? = nil
    ) {
        assumeIsolated { client in
            guard !client.closing.isDraining else {
                client.counts.dropped += 1
                return
            }
            let sequel = Outbox.Sequel(fallback: fallback, holding: object)
            client.deliveries.queue(message, .each, sequel: sequel, at: client.loop.now)
            client.backlogGrew()
            client.update()
        }
    }

    /// Publishes a message, and reports its end.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - order: `each`, or `connected`: then the message is not sent again after the end of the connection.
    ///   - completion: Receives whether the broker has accepted the message; called once, on the loop. A message that
    ///     still waits when the client is closed has no end.
    package nonisolated func publish(
        _ message: Message, _ order: QueuePolicy.Order, completion: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) {
        assumeIsolated { client in
            let isConnected = if case .connected = client.state { true } else { false }
            guard isConnected || order != .connected, !client.closing.isDraining else { return completion(false) }
            client.deliveries.queue(
                message, QueuePolicy(order), sequel: Outbox.Sequel(completion: completion), at: client.loop.now)
            client.update()
        }
    }

    /// Sends a message, alone or with others, or queues it.
    private func submit(_ message: Message, _ policy: QueuePolicy) {
        let isConnected = if case .connected = state { true } else { false }
        let submission = deliveries.submit(
            message, policy, isConnected: isConnected, canSend: !isUpdating, bundles: loop.isBatching, at: loop.now)
        switch submission {
        case .queued: backlogGrew()
        case .dropped: counts.dropped += 1
        case .bundled(let isFirst): if isFirst { loop.beforeWaiting { self.update() } }
        case .ready(let entry): send(entry)
        }
    }

    /// Sends the bundle and queued messages, up to the send window.
    private func sendQueued() {
        guard case .connected = state else { return }
        let count = deliveries.sendableCount
        // Without a cork, each packet is a TCP segment of its own, which costs both sides many times as much.
        if count > 1 { connection?.setCorked(true) }
        while case .connected = state, let entry = deliveries.next(at: loop.now) { send(entry) }
        if count > 1 { connection?.setCorked(false) }
        // The rest of the queue is sent when the broker has acknowledged messages in flight.
        if !deliveries.outbox.isEmpty { loop.expectAnswer(within: .milliseconds(1)) }
        backlogShrank()
    }

    private func send(_ entry: Outbox.Entry) {
        guard let connection else { return }
        let quality = deliveries.quality(for: entry.message.qualityOfService)
        do {
            deliveries.sent(entry, as: try connection.publish(entry.message, as: quality))
        } catch {
            guard !error.endsConnection else {
                // Only messages with quality of service 0 are lost here; libmosquitto has kept all others.
                counts.dropped += 1
                connection.abort()
                return connectionEnded { .disconnected(reason: connection.reason(for: error), retryIn: $0) }
            }
            drop(entry, because: error.description)
        }
    }

    /// Drops a message that the broker does not accept, and queues its fallback.
    private func drop(_ entry: Outbox.Entry, because reason: String) {
        counts.dropped += 1
        if entry.isHandedOver { handler(.settled(place: entry.place)) }
        handler(.undeliverable(entry.message, reason: reason))
        deliveries.deny(entry)
        if let fallback = entry.sequel?.fallback { deliveries.queue(fallback, .each, at: loop.now) }
        entry.sequel?.completion?(false)
    }

    /// Handles the acknowledgement of a message, or its rejection.
    private func acknowledged(_ identifier: Int32, _ failure: String?) {
        guard let entry = deliveries.acknowledged(identifier) else { return }
        if deliveries.inFlight.hasSuspicion { clearSuspicion() }
        if let failure {
            drop(entry, because: failure)
        } else {
            counts.sent += 1
            if entry.isHandedOver { handler(.settled(place: entry.place)) }
            entry.sequel?.completion?(true)
        }
    }

    private func clearSuspicion() {
        if let entry = deliveries.clearSuspicion() { drop(entry, because: SuspectMessage.reason(for: entry.message)) }
    }

    // MARK: Backlog

    /// Drops the queued messages of policy `latest`, except the newest of each topic.
    package nonisolated func skipToNewest() {
        assumeIsolated { client in
            client.deliveries.skipToNewest()
            client.backlogShrank()
        }
    }

    private func backlogGrew() {
        if deliveries.hasDisplaced { handOverKept() }
        checkKeptSoon()
        guard case .connected = state, deliveries.hasFallenBehind() else { return }
        handler(.fellBehind)
    }

    private func backlogShrank() {
        if deliveries.hasCaughtUp() { handler(.caughtUp) }
    }

    private func backlogEnded() {
        if deliveries.endBacklog() { handler(.caughtUp) }
    }

    // MARK: Kept messages

    /// The size in bytes above which kept messages are handed over early in a long outage.
    private static let largestKeptBatch = 65_536
    /// The time between two checks while kept messages wait.
    private static let keepInterval = Duration.seconds(1)

    /// Schedules the next check of the kept messages in the queue; the heartbeat checks the messages in flight.
    private func checkKeptSoon() {
        guard keepTimer == nil, deliveries.keptSize > 0 else { return }
        keepTimer = loop.schedule(after: Self.keepInterval) {
            self.keepTimer = nil
            self.handOverIfDue()
            self.checkKeptSoon()
        }
    }

    /// Hands over the kept messages if one of them has waited for `keepAfter`, or if many wait in a long outage.
    private func handOverIfDue() {
        let isDue = deliveries.hasKept(since: loop.now + (.zero - settings.keepAfter))
        guard isDue || isOutageLong && deliveries.keptSize >= Self.largestKeptBatch else { return }
        isOutageLong = true
        handOverKept()
    }

    private func handOverKept() {
        let messages = deliveries.handOver()
        if !messages.isEmpty { handler(.kept(messages)) }
    }

    // MARK: Work

    /// Handles the events of libmosquitto, sends queued messages, and watches the socket for the next step.
    func update() {
        // The handler of an event may publish, which calls this function again: the running call sends the message.
        guard !isUpdating else { return }
        isUpdating = true
        // While another thread looks up the broker's name, it alone uses the connection.
        while !isLookingUp {
            connection?.takeEvents { handle($0) }
            sendQueued()
            if connection?.hasEvents != true { break }
        }
        isUpdating = false
        watchSocket()
        if let step = closing.step, step.isDone() { endClosingStep() }
    }

    private func handle(_ event: LibraryEvent) {
        switch event {
        case .accepted(let resumed, let receiveMaximum, let quality): accepted(resumed, receiveMaximum, quality)
        case .refused(let refusal):
            if refusal.reason == .unsupportedQualityOfService { lowerWill() }
            connectionEnded { .refused(refusal, retryIn: $0) }
        case .disconnected(let reason): connectionEnded { .disconnected(reason: reason, retryIn: $0) }
        case .received(let message):
            counts.received += 1
            handler(.received(message))
        case .cut(let length): handler(.cut(length: length))
        case .published(let identifier, let failure): acknowledged(identifier, failure)
        case .subscribed(let identifier, let failure): subscriptionAnswered(identifier, failure)
        case .unsubscribed(let identifier): subscriptions.cancellationAnswered(identifier)
        }
    }

    /// Sends the will with quality of service 0 from now on.
    ///
    /// A broker announces its best quality of service only in CONNACK, after it has received the will (MQTT 5,
    /// 3.2.2.3.4).
    private func lowerWill() {
        guard settings.will != nil else { return }
        settings.will?.qualityOfService = .atMostOnce
        connection?.replaceBeforeOpening()
    }

    private func watchSocket() {
        let descriptor = isOpen ? connection?.descriptor : nil
        if let watched, watched != descriptor { unwatchSocket() }
        guard let descriptor else { return }
        connection?.setReadThreshold(readThreshold)
        if watched == nil {
            watched = descriptor
            loop.watch(descriptor, for: interest) { self.handle($0) }
        } else {
            loop.rewatch(descriptor, for: interest)
        }
    }

    private func unwatchSocket() {
        guard let watched else { return }
        loop.unwatch(watched)
        self.watched = nil
        connection?.closeSocketCopy()
    }

    private func handle(_ readiness: Readiness) {
        switch state {
        case .connecting(let deadline, let hasWritten):
            state = .connecting(deadline: deadline, hasWritten: true)
            continueHandshake(readiness, isFirst: !hasWritten)
        case .connected where readiness == .readable && loop.isBatching:
            loop.afterDescriptors { self.readAfterSending() }
        case .connected: exchange(reads: readiness != .writable)
        default: break
        }
    }

    /// Reads after 20 ms even if fewer bytes than the threshold have arrived: the last part of a message may be that
    /// short.
    func readRemainderSoon() {
        guard remainderRead == nil, readThreshold > 1 else { return }
        remainderRead = loop.schedule(after: .milliseconds(20)) {
            self.remainderRead = nil
            guard case .connected = self.state, let connection = self.connection else { return }
            self.attempt { () throws(LibraryError) in try connection.read() }
            self.update()
        }
    }

    // MARK: The life of a connection

    /// Starts an attempt to connect.
    private func connect() {
        guard var connection else { return }
        if connection.mustBeReplaced {
            do throws(ClientError) {
                connection = try Connection(settings)
            } catch {
                return retry { .disconnected(reason: error.description, retryIn: $0) }
            }
            self.connection = connection
        }
        let prefersIPv4 = reconnection.prefersIPv4
        guard settings.endpoint.needsLookup else {
            return opened(failure: connection.openFailure(preferringIPv4: prefersIPv4))
        }
        state = .lookingUp
        spawn { [connection] in await $0.lookUp(with: connection, preferringIPv4: prefersIPv4) }
    }

    private func lookUp(with connection: Connection, preferringIPv4 prefersIPv4: Bool) async {
        opened(failure: await BackgroundThread.run { connection.openFailure(preferringIPv4: prefersIPv4) })
    }

    /// Continues after `Connection.openFailure`.
    ///
    /// - Parameter failure: The reason if the attempt has failed at once; nil if the attempt is under way.
    private func opened(failure: String?) {
        // The client may have been closed during the lookup.
        guard connection != nil else { return }
        let deadline = loop.schedule(after: settings.connectTimeout) { self.connectTimedOut() }
        state = .connecting(deadline: deadline, hasWritten: false)
        if let failure {
            connectionEnded { .disconnected(reason: failure, retryIn: $0) }
        } else {
            update()
        }
    }

    private func accepted(_ resumed: Bool, _ receiveMaximum: UInt16?, _ bestQuality: QualityOfService) {
        guard case .connecting(let deadline, _) = state else { return }
        deadline.cancel()
        state = .connected(since: loop.now, heartbeat: heartbeat())
        counts.connections += 1
        isOutageLong = false
        deliveries.connectionBegan(receiveMaximum: receiveMaximum, bestQuality: bestQuality)
        for (filter, subscription) in subscriptions.wanted {
            requestSubscription(to: filter, subscription)
        }
        handler(.connected(resumed: resumed))
        // There is no other message whose acknowledgement the message set aside could wait for.
        if deliveries.inFlight.hasSetAside, deliveries.isComplete { clearSuspicion() }
    }

    /// Returns a timer that calls libmosquitto: it sends PINGREQ, and detects a missing PINGRESP, only during calls.
    private func heartbeat() -> Timer {
        loop.schedule(after: min(.seconds(5), settings.keepAlive / 10)) {
            guard let connection = self.connection, case .connected(let since, _) = self.state else { return }
            self.state = .connected(since: since, heartbeat: self.heartbeat())
            // The PINGRESP may have arrived: it is shorter than the read threshold.
            self.attempt { () throws(LibraryError) in try connection.read() }
            self.attempt { () throws(LibraryError) in try connection.keepAlive() }
            self.checkAcknowledgements(connection)
            self.handOverIfDue()
            self.update()
        }
    }

    /// Ends a connection whose broker answers PINGREQ, but has stopped to acknowledge messages.
    private func checkAcknowledgements(_ connection: Connection) {
        let limit = settings.acknowledgementTimeout
        guard case .connected = state, deliveries.isStuck(for: limit, at: loop.now) else { return }
        connection.abort()
        connectionEnded {
            .disconnected(reason: "the broker has not acknowledged a message for \(limit.text)", retryIn: $0)
        }
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    ///
    /// A second call does nothing: libmosquitto may report the end more than once.
    ///
    /// - Parameter event: Makes the event for the handler from the delay before the next attempt.
    func connectionEnded(_ event: (Duration) -> Event) {
        switch state {
        case .idle, .waiting, .lookingUp: return
        case .connecting(let deadline, _):
            deadline.cancel()
            reconnection.attemptFailed()
        case .connected(let since, let heartbeat):
            heartbeat.cancel()
            let duration = loop.now - since
            reconnection.connectionEnded(after: duration)
            let (lost, needsNewHandle) = deliveries.connectionEnded(after: duration)
            counts.dropped += lost
            if needsNewHandle { connection?.replaceBeforeOpening() }
        }
        unwatchSocket()
        subscriptions.connectionEnded()
        backlogEnded()
        checkKeptSoon()
        if closing.isDraining {
            state = .idle
        } else {
            retry(event)
        }
        endClosingStep()
    }

    private func retry(_ event: (Duration) -> Event) {
        let delay = reconnection.delay()
        state = .waiting(loop.schedule(after: delay) { self.connect() })
        handler(event(delay))
    }

    // MARK: Closing

    /// Cancels the subscriptions, sends the queued messages and `lastMessage`, and disconnects.
    ///
    /// Messages that the broker sent before it receives the cancellations are still received, and may be answered. If the
    /// broker does not acknowledge all messages in time, the client does not send DISCONNECT: the broker then publishes
    /// the will in place of `lastMessage`.
    ///
    /// - Parameters:
    ///   - limit: How long the broker may take. Without a connection the client does not wait.
    ///   - lastMessage: The message that is published last, e.g. that the program is offline.
    /// - Returns: The unacknowledged messages of policy `each`, in order, without `lastMessage`; messages that must be kept
    ///   are handed over instead.
    @discardableResult
    package func close(within limit: Duration = .seconds(2), lastMessage: Message? = nil) async -> [Unsent] {
        guard !closing.hasBegun else { return [] }
        closing.begin()
        let deadline = loop.now + limit
        unsubscribeFromAll()
        await wait(until: deadline) { !self.subscriptions.hasUnansweredCancellations }
        if let lastMessage { deliveries.queue(lastMessage, .each, at: loop.now) }
        closing.drain()
        await wait(until: deadline) { self.deliveries.isComplete }
        handOverKept()
        keepTimer?.cancel()
        let remaining = deliveries.takeRemaining(at: loop.now)
        if case .connected = state, let connection {
            if remaining.isEmpty {
                connection.disconnect()
            } else {
                connection.abort()
            }
        }
        state.cancelTimer()
        state = .idle
        unwatchSocket()
        backlogEnded()
        // A thread that still looks up a name retains the connection until the end of the lookup.
        self.connection = nil
        return remaining.filter { $0.policy == .each && $0.message != lastMessage }
            .map { Unsent(message: $0.message, fallback: $0.sequel?.fallback) }
    }

    /// Waits until `isDone` returns true, the connection ends, or the deadline passes.
    private func wait(until deadline: Instant, _ isDone: @escaping () -> Bool) async {
        guard isOpen || isLookingUp else { return }
        await withCheckedContinuation { continuation in
            let timer = loop.schedule(after: deadline - loop.now) { self.endClosingStep() }
            closing.wait(
                for: Closing.Step(isDone: isDone) {
                    timer.cancel()
                    continuation.resume()
                })
            update()
        }
    }

    private func endClosingStep() {
        closing.takeStep()?.end()
    }
}
