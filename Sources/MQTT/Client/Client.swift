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
    /// The value of `counts.sent` at the beginning of the connection.
    private var sentBefore = 0
    /// The timer of the next check of kept messages; nil while none waits.
    private var keepTimer: Timer?
    /// The timer of the next report of copies; nil while none is due.
    private var copyTimer: Timer?
    /// Whether copies were reported whose messages may still wait.
    private var hasOpenCopies = false
    /// Whether kept messages were handed over since the last connection began.
    private var isOutageLong = false
    /// Whether a message of this connection has not reached all receivers in a cluster.
    private var hasReportedPartial = false
    /// The socket that the loop watches; nil if there is none.
    private var watched: Int32?
    /// The timer that reads data below the read threshold: a part of a message, or a few acknowledgements.
    private(set) var remainderRead: Timer?
    /// The value of `counts.sent` when messages last waited for room in the send window.
    private var sentBeforeWait = -1
    /// The timer that sends the messages that wait for a time, and its time; nil: none waits.
    private var sending: (timer: Timer, time: Instant)?
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
        connection = try Connection(settings, to: settings.nodes[0])
        deliveries = Deliveries(limits: settings.outbox, window: settings.window, rate: settings.rate)
        reconnection = Reconnection(settings.backoff, nodes: settings.nodes.count)
    }

    /// Starts the first attempt to connect; further calls do nothing.
    package nonisolated func start() {
        assumeIsolated { client in
            guard case .idle = client.state, client.connection != nil else { return }
            client.copyTimer = client.loop.schedule(after: Self.longestSilence) {
                client.copyTimer = nil
                client.startCopying()
            }
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

    /// Replaces the payloads of the messages that the broker has not accepted with those that `change` returns; nil: the
    /// payload remains.
    package nonisolated func changePayloads(_ change: @Sendable (Message) -> [UInt8]?) {
        assumeIsolated { $0.deliveries.changePayloads(change) }
    }

    /// Publishes a message, or `fallback` if the broker does not accept it.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fallback: The message that is published if the broker does not accept the first one.
    ///   - objects: Objects that exist until the broker has accepted one of the messages or both are dropped; with them, other
    ///     messages are dropped first if the queue is full.
    ///   - completion: Receives whether the broker has accepted the first message; nil: nothing is called.
    package nonisolated func publish(
        _ message: Message, orElse fallback: Message, holding objects: [any AnyObject & Sendable] = [],
        completion: (@Sendable (_ isAccepted: Bool) -> Void)? = nil
    ) {
        assumeIsolated { client in
            guard !client.closing.isDraining else {
                client.counts.dropped += 1
                return
            }
            client.queue(
                message, .each, sequel: Outbox.Sequel(fallback: fallback, completion: completion, holding: objects))
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
            guard isConnected || order != .whileConnected, !client.closing.isDraining else { return completion(false) }
            client.queue(message, QueuePolicy(order), sequel: Outbox.Sequel(completion: completion))
            client.update()
        }
    }

    /// Publishes a message before all queued messages; without a connection the message is dropped.
    ///
    /// It exceeds the send window if the window is full; libmosquitto then sends it after the next acknowledgement. Where
    /// the broker refuses topics, the message waits in the queue, because it could be the one that ends the connection.
    package nonisolated func publishNext(_ message: Message) {
        assumeIsolated { client in
            guard case .connected = client.state, !client.closing.isDraining else {
                client.counts.dropped += 1
                return
            }
            if let entry = client.deliveries.pass(message, at: client.loop.now) {
                client.send(entry)
            } else {
                client.submit(message, .whileConnected)
            }
            if client.needsUpdate { client.update() }
        }
    }

    /// Sends a message, alone or with others, or queues it.
    private func submit(_ message: Message, _ policy: QueuePolicy) {
        let isConnected = if case .connected = state { true } else { false }
        let now = loop.now
        let submission = deliveries.submit(
            message, policy, isConnected: isConnected, canSend: !isUpdating, bundles: loop.isBatching(at: now), at: now)
        switch submission {
        case .queued: backlogGrew()
        case .dropped: counts.dropped += 1
        case .bundled(let isFirst): if isFirst { loop.beforeWaiting { self.update() } }
        case .ready(let entry): send(entry)
        case .refused(let entry): refuse(entry)
        }
    }

    private func queue(_ message: Message, _ policy: QueuePolicy, sequel: Outbox.Sequel? = nil) {
        if let entry = deliveries.queue(message, policy, sequel: sequel, at: loop.now) { refuse(entry) }
    }

    /// Drops a message on a topic that the broker refuses, and queues its fallback.
    private func refuse(_ entry: Outbox.Entry) {
        counts.dropped += 1
        if entry.isHandedOver { handler(.settled(place: entry.place)) }
        if let fallback = entry.sequel?.fallback { queue(fallback, .each, sequel: entry.sequel?.ofFallback) }
        entry.sequel?.completion?(false)
    }

    /// Sends the bundle and queued messages, up to the send window.
    private func sendQueued() {
        guard case .connected = state else { return }
        if deliveries.isRestrained { sendTrialsAndPostponed() }
        let count = deliveries.sendableCount
        // Without a cork, each packet is a TCP segment of its own, which costs both sides many times as much.
        if count > 1 { connection?.setCorked(true) }
        while case .connected = state, let entry = deliveries.next(at: loop.now) { send(entry) }
        if count > 1 { connection?.setCorked(false) }
        awaitRoom()
        if deliveries.isRestrained { sendLater() }
        backlogShrank()
    }

    /// The time in which acknowledgements are collected while messages wait for room in the send window.
    ///
    /// It must be short: without `TCP_NODELAY`, which mosquitto does not set by default, a broker sends the second
    /// acknowledgement only after the client's kernel has confirmed the first one, at once with a message or after 40 ms.
    private static let collectingTime = Duration.milliseconds(1)

    /// Sends the rest of the queue as soon as the broker has acknowledged messages in flight.
    private func awaitRoom() {
        guard !deliveries.outbox.isEmpty, let watched else { return }
        // Without another acknowledgement, the client need not look again so soon.
        guard counts.sent != sentBeforeWait else { return readRemainderSoon() }
        sentBeforeWait = counts.sent
        loop.expectAnswer(on: watched, within: Self.collectingTime)
        remainderRead?.cancel()
        readRemainder(after: Self.collectingTime)
    }

    private func sendTrialsAndPostponed() {
        if deliveries.access.isActive { sendTrials() }
        if !deliveries.postponements.isEmpty { sendPostponed() }
    }

    /// Sends a topic or a filter again that the broker has rejected for the moment, if its time has come.
    private func sendPostponed() {
        while case .connected = state, let access = deliveries.nextRepetition(at: loop.now) {
            switch access {
            case .publish(let topic):
                if let entry = deliveries.takeTrial(of: topic, at: loop.now) { send(entry) }
            case .subscribe(let filter):
                if let subscription = subscriptions.wanted[filter] {
                    requestSubscription(to: filter, subscription)
                } else {
                    deliveries.endPostponement(of: filter)
                }
            }
        }
    }

    /// Continues when the time of the next message that waits for a time has come.
    private func sendLater() {
        guard let time = deliveries.nextTime else { return }
        if let sending {
            guard time < sending.time else { return }
            sending.timer.cancel()
        }
        // A message whose time has come waits for an answer of the broker: a delay of zero would keep the loop busy.
        let now = loop.now
        let timer = loop.schedule(after: time > now ? time - now : .milliseconds(10)) {
            self.sending = nil
            self.update()
        }
        sending = (timer, time)
    }

    /// Sends the topics and filters whose trial is due.
    private func sendTrials() {
        while case .connected = state,
            let access = deliveries.nextTrial(
                hasUnansweredRequests: subscriptions.hasUnansweredRequests, at: loop.now)
        {
            switch access {
            case .publish(let topic):
                if let entry = deliveries.takeTrial(of: topic, at: loop.now) { send(entry) }
            case .subscribe(let filter):
                guard let subscription = subscriptions.wanted[filter] else {
                    deliveries.cancelTrial(of: filter)
                    continue
                }
                requestSubscription(to: filter, subscription)
            }
        }
    }

    private func send(_ entry: consuming Outbox.Entry) {
        guard let connection else { return }
        let quality = deliveries.quality(for: entry.message.qualityOfService)
        let identifier: Int32
        do {
            identifier = try connection.publish(entry.message, as: quality)
        } catch {
            guard !error.endsConnection else {
                // Only messages with quality of service 0 are lost here; libmosquitto has kept all others.
                counts.dropped += 1
                connection.abort()
                let (reason, cause) = (connection.reason(for: error), connection.endCause(for: error))
                return connectionEnded(because: cause) { .disconnected(reason: reason, cause: $1, retryIn: $0) }
            }
            return drop(entry, because: error.description)
        }
        deliveries.sent(entry, as: identifier)
    }

    /// Drops a message that the broker does not accept, and queues its fallback.
    private func drop(_ entry: Outbox.Entry, because reason: String) {
        handler(.undeliverable(entry.message, reason: reason, isTemporary: false))
        _ = deliveries.endPostponement(after: entry, isAccepted: false)
        refuse(entry)
    }

    /// Handles the acknowledgement of a message, or its rejection.
    private func acknowledged(_ identifier: Int32, _ rejection: Rejection?) {
        guard let entry = deliveries.acknowledged(identifier) else { return }
        var rejection = rejection
        if let partial = rejection, isPartial(partial) {
            reportPartial(partial)
            rejection = nil
        }
        guard !deliveries.isRestrained else { return acknowledgedInRestraint(entry, rejection) }
        if let rejection { rejected(entry, rejection) } else { accepted(entry) }
    }

    /// Returns whether a cluster has delivered a message that it rejects, but not to all of its receivers.
    ///
    /// If the message was sent again, all other receivers would get it each time, and newer messages would wait for it.
    private func isPartial(_ rejection: Rejection) -> Bool { settings.nodes.count > 1 && rejection.canBePartial }

    private func reportPartial(_ rejection: Rejection) {
        guard !hasReportedPartial else { return }
        hasReportedPartial = true
        handler(.partlyDelivered(reason: "\(rejection)"))
    }

    private func acknowledgedInRestraint(_ entry: Outbox.Entry, _ rejection: Rejection?) {
        let topic = entry.message.topic
        noteAnswer(.publish(topic), size: entry.message.payload.count)
        if let rejection { return rejected(entry, rejection) }
        accepted(entry)
        if deliveries.endPostponement(after: entry, isAccepted: true) { handler(.accessGranted(.publish(topic))) }
    }

    private func accepted(_ entry: Outbox.Entry) {
        counts.sent += 1
        if entry.isHandedOver { handler(.settled(place: entry.place)) }
        entry.sequel?.completion?(true)
    }

    /// Sends a message again later that the broker has rejected for the moment; drops any other one.
    private func rejected(_ entry: Outbox.Entry, _ rejection: Rejection) {
        guard rejection.isTemporary else { return drop(entry, because: "\(rejection)") }
        counts.rejected += 1
        let (isHeld, failures) = deliveries.postpone(entry, at: loop.now)
        if isHeld {
            checkKeptSoon()
            copySoon()
            if failures == Postponements.many {
                handler(.postponed(entry.message.topic, reason: "\(rejection)"))
            }
        } else {
            // A value that is worthless later is replaced by the next one.
            if entry.policy.order != .whileConnected {
                handler(.undeliverable(entry.message, reason: "\(rejection)", isTemporary: true))
            }
            refuse(entry)
        }
    }

    // MARK: Refused topics and filters

    /// Returns whether a filter may be subscribed to now; a doubtful one is tried later.
    func admit(_ filter: TopicFilter) -> Bool { deliveries.admit(filter, at: loop.now) }

    /// Requests a filter again later that the broker has rejected for the moment; returns the number of rejections.
    func postpone(_ filter: TopicFilter) -> Int { deliveries.postpone(filter, at: loop.now) }

    /// Notes that a filter was accepted, or is rejected for good.
    func endPostponement(of filter: TopicFilter) { deliveries.endPostponement(of: filter) }

    /// Notes that the broker has answered a PUBLISH or a SUBSCRIBE.
    func noteAnswer(_ access: Access, size: Int = 0) {
        guard deliveries.access.isActive else { return }
        report(deliveries.answered(access, size: size, at: loop.now))
    }

    private func report(_ findings: [AccessRecord.Finding]) {
        for finding in findings {
            switch finding {
            case .refused(let access, let delay): handler(.accessRefused(access, retryIn: delay))
            case .accepted(let access): handler(.accessGranted(access))
            }
        }
    }

    /// Tries topics and filters again that were held back, if the time for it has come.
    private func releaseHeld(since start: Instant) {
        guard deliveries.access.isActive else { return }
        if deliveries.release(isSteady: loop.now - start > Self.steady, at: loop.now) { requestSubscriptions() }
    }

    /// The duration of a connection after which the broker is no longer suspected.
    private static let steady = Duration.seconds(60)

    private static func refusal(of message: Message) -> String {
        "the broker closes the connection when it receives these \(message.payload.count) bytes: "
            + "check its size limit and its access rules"
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
        copySoon()
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
        reportCopies()
        let messages = deliveries.handOver()
        if !messages.isEmpty { handler(.kept(messages)) }
    }

    // MARK: Copies of kept messages

    /// The longest time before a kept message is copied while the broker is away.
    private static let copyInterval = Duration.milliseconds(100)
    /// The age of an unacknowledged message from which a connected broker counts as away.
    private static let longestSilence = Duration.seconds(1)

    /// Schedules the next report of copies, if one is due.
    private func copySoon() {
        let isConnected = if case .connected = state { true } else { false }
        let isDue = deliveries.hasCopies || isConnected && (deliveries.isCopying || hasOpenCopies)
        guard isDue, copyTimer == nil else { return }
        copyTimer = loop.schedule(after: Self.copyInterval) {
            self.copyTimer = nil
            self.reportCopies()
            self.checkCopies()
            self.copySoon()
        }
    }

    /// Copies each kept message from now on: the broker is away.
    private func startCopying() {
        deliveries.startCopying()
        copySoon()
    }

    private func reportCopies() {
        let copies = deliveries.takeCopies()
        guard !copies.isEmpty else { return }
        hasOpenCopies = true
        handler(.copied(copies))
    }

    /// Begins or ends the copying while the broker is connected: it may not acknowledge messages for a while.
    private func checkCopies() {
        guard case .connected = state else { return }
        if deliveries.hasKept(since: loop.now + (.zero - Self.longestSilence)) {
            deliveries.startCopying()
        } else {
            deliveries.stopCopying()
        }
        guard hasOpenCopies, !deliveries.isCopying, !deliveries.hasCopied else { return }
        hasOpenCopies = false
        handler(.copiesEnded)
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
        case .accepted(let resumed, let limits): connected(resumed, limits)
        case .refused(let refusal):
            changeWill(after: refusal.reason)
            connectionEnded { delay, _ in .refused(refusal, retryIn: delay) }
        case .disconnected(let reason, let cause):
            connectionEnded(because: cause) { .disconnected(reason: reason, cause: $1, retryIn: $0) }
        case .received(let message):
            counts.received += 1
            handler(.received(message))
        case .cut(let length): handler(.cut(length: length))
        case .published(let identifier, let rejection): acknowledged(identifier, rejection)
        case .subscribed(let identifier, let rejection): subscriptionAnswered(identifier, rejection)
        case .unsubscribed(let identifier): subscriptions.cancellationAnswered(identifier)
        }
    }

    /// Sends the will with quality of service 0, or without the flag RETAIN, from now on if the broker refuses it.
    ///
    /// A broker announces its limits only in CONNACK, after it has received the will (MQTT 5, 3.2.2.3.4 and 3.2.2.3.5).
    private func changeWill(after reason: Refusal.Reason) {
        guard settings.will != nil else { return }
        switch reason {
        case .unsupportedQualityOfService: settings.will?.qualityOfService = .atMostOnce
        case .unsupportedRetaining: settings.will?.isRetained = false
        default: return
        }
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
        readRemainder(after: .milliseconds(20))
    }

    /// Reads what has arrived after `delay`, and sends what there is room for.
    private func readRemainder(after delay: Duration) {
        remainderRead = loop.schedule(after: delay) {
            self.remainderRead = nil
            guard case .connected = self.state, let connection = self.connection else { return }
            self.attempt { () throws(LibraryError) in try self.read(connection) }
            self.update()
        }
    }

    // MARK: The life of a connection

    /// Starts an attempt to connect.
    private func connect() {
        guard var connection else { return }
        if let payload = settings.willPayload?() { settings.will?.payload = payload }
        let endpoint = settings.nodes[reconnection.node]
        if connection.mustBeReplaced || connection.endpoint != endpoint {
            do throws(ClientError) {
                connection = try Connection(settings, to: endpoint)
            } catch {
                return retry(.other) { delay, _ in .disconnected(reason: error.description, retryIn: delay) }
            }
            self.connection = connection
        } else if settings.willPayload != nil, let will = settings.will {
            connection.replaceWill(by: will)
        }
        let prefersIPv4 = reconnection.prefersIPv4
        guard endpoint.needsLookup else {
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
            connectionEnded { delay, _ in .disconnected(reason: failure, retryIn: delay) }
        } else {
            update()
        }
    }

    private func connected(_ resumed: Bool, _ limits: BrokerLimits) {
        guard case .connecting(let deadline, _) = state else { return }
        deadline.cancel()
        state = .connected(since: loop.now, heartbeat: heartbeat())
        counts.connections += 1
        hasReportedPartial = false
        isOutageLong = false
        // A message that was copied counts as stored, also if the broker rejects it for the moment.
        reportCopies()
        deliveries.stopCopying()
        copyTimer?.cancel()
        copyTimer = nil
        copySoon()
        let refused = deliveries.connectionBegan(limits, at: loop.now)
        for entry in refused { drop(entry, because: Self.refusal(of: entry.message)) }
        sentBefore = counts.sent
        requestSubscriptions()
        handler(.connected(resumed: resumed, limits))
    }

    /// Returns a timer that calls libmosquitto: it sends PINGREQ, and detects a missing PINGRESP, only during calls.
    private func heartbeat() -> Timer {
        loop.schedule(after: min(.seconds(5), settings.keepAlive / 10)) {
            guard let connection = self.connection, case .connected(let since, _) = self.state else { return }
            self.state = .connected(since: since, heartbeat: self.heartbeat())
            // The PINGRESP may have arrived: it is shorter than the read threshold.
            self.attempt { () throws(LibraryError) in try self.read(connection) }
            self.attempt { () throws(LibraryError) in try connection.keepAlive() }
            self.checkAcknowledgements(connection)
            self.handOverIfDue()
            self.checkCopies()
            self.copySoon()
            self.releaseHeld(since: since)
            self.update()
        }
    }

    /// Ends a connection whose broker answers PINGREQ, but has stopped to acknowledge messages.
    private func checkAcknowledgements(_ connection: Connection) {
        let limit = settings.acknowledgementTimeout
        guard case .connected = state, deliveries.isStuck(for: limit, at: loop.now) else { return }
        connection.abort()
        connectionEnded { delay, _ in
            .disconnected(reason: "the broker has not acknowledged a message for \(limit.text)", retryIn: delay)
        }
    }

    /// Ends the connection or the attempt, and schedules the next attempt.
    ///
    /// A second call does nothing: libmosquitto may report the end more than once.
    ///
    /// - Parameters:
    ///   - cause: The cause, as libmosquitto reports it.
    ///   - event: Makes the event for the handler from the delay before the next attempt and the cause.
    func connectionEnded(because cause: EndCause = .other, _ event: (Duration, EndCause) -> Event) {
        var cause = cause
        var end: Deliveries.ConnectionEnd?
        switch state {
        case .idle, .waiting, .lookingUp: return
        case .connecting(let deadline, _):
            deadline.cancel()
            reconnection.attemptFailed()
        case .connected(let since, let heartbeat):
            heartbeat.cancel()
            let duration = loop.now - since
            let isShort = duration <= Reconnection.steady
            if case .closed = cause {
                cause = .closed(isIdle: deliveries.inFlight.isEmpty && !subscriptions.hasUnansweredRequests)
            }
            reconnection.connectionEnded(after: duration)
            end = endDeliveries(because: cause, isShort: isShort)
        }
        unwatchSocket()
        subscriptions.connectionEnded()
        backlogEnded()
        checkKeptSoon()
        startCopying()
        if closing.isDraining {
            state = .idle
        } else {
            retry(cause, event)
        }
        if let end { report(end.findings) }
        endClosingStep()
    }

    /// Returns the messages in flight to the queue, and finds the cause for the end of the connection.
    private func endDeliveries(because cause: EndCause, isShort: Bool) -> Deliveries.ConnectionEnd {
        let isClosed = if case .closed = cause { true } else { false }
        let end = deliveries.connectionEnded(
            isClosed: isClosed, unanswered: subscriptions.unanswered,
            hadAnswers: subscriptions.hasAnswers || counts.sent > sentBefore, isShort: isShort, at: loop.now)
        counts.dropped += end.lost
        if end.needsNewHandle { connection?.replaceBeforeOpening() }
        if !end.findings.isEmpty { reconnection.causeFound() }
        return end
    }

    private func retry(_ cause: EndCause, _ event: (Duration, EndCause) -> Event) {
        let delay = reconnection.next()
        state = .waiting(loop.schedule(after: delay) { self.connect() })
        handler(event(delay, cause))
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
        if let lastMessage { queue(lastMessage, .each) }
        closing.drain()
        await wait(until: deadline) { self.deliveries.isComplete }
        handOverKept()
        keepTimer?.cancel()
        copyTimer?.cancel()
        sending?.timer.cancel()
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
