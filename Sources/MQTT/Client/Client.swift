package import EventLoop

/// An MQTT client that connects, and goes on connecting, until it is closed.
///
///     let client = try Client(settings, on: loop) { event in … }
///     client.subscribe(to: "bluefleet/+/set")
///     client.start()
///     client.publish(Message("bluefleet/freezer/temperature", payload, isRetained: true), keeping: .latest)
///     …
///     await client.close(within: .seconds(2), farewell: offline)
///
/// It lives on its loop, where also its handler is called. What is published while there is no connection waits in a
/// bounded outbox; subscriptions are a wish that is told to the broker at each connection anew.
///
/// A client that has been started is kept by its loop until it is closed.
package actor Client: LoopBound {
    package nonisolated let loop: EventLoop
    package nonisolated let unownedExecutor: UnownedSerialExecutor

    let settings: Settings
    let handler: @Sendable (Event) -> Void
    /// nil once the client is closed.
    var connection: Connection?
    var state = State.idle
    var outbox: Outbox
    /// What was published while things gather: it goes on its way together before the loop waits, for the processor's
    /// caches have no room for the code that sends beside that which decodes.
    var bundle: [Outbox.Entry] = []
    /// The bundle that is being sent; it keeps its room.
    var departing: [Outbox.Entry] = []
    var inFlight = InFlight()
    /// Whether the handler was told that the broker has fallen behind.
    var isBehind = false
    /// Reads the rest of a message that may have come in part.
    var restReading: Timer?
    /// Whether the broker's answers to what was sent are to be answered in their turn.
    var hasHandshakes = false
    /// How many messages may be on their way with this connection, and at the moment.
    var widestWindow: Int
    var window: Int
    /// The best quality of service that the broker takes with this connection.
    var bestQuality = QualityOfService.exactlyOnce
    /// What may have ended the last connection; nil once the broker has taken it.
    var suspect: Suspect?
    /// What has ended one connection after the other, while others show whether the broker takes anything at all.
    var setAside: Outbox.Entry?
    /// Whether the connection has something to send again, and must be replaced before it is opened.
    var isSpent = false
    private(set) var subscriptions: [TopicFilter: Subscription] = [:]
    /// How many bytes the smallest message takes that the subscriptions let through, or have let through.
    private(set) var smallestArrival = Client.mostAwaited
    /// The subscriptions without an answer, by the library's number.
    var askedFor: [Int32: TopicFilter] = [:]
    /// The ends of subscriptions without an answer.
    var cancellations: Set<Int32> = []
    var backoff: Backoff
    /// Which addresses of a name the next attempt tries first; what worked is tried again.
    var prefersIPv4 = true
    var counts = Statistics()
    var watched: Int32?
    var isSettling = false
    /// What is waited for until the client is closed.
    var closingStep: ClosingStep?
    /// Whether the client is about to be closed.
    var isLeaving = false
    /// Whether it takes nothing more.
    var isClosing = false

    /// Where the client is in its life.
    enum State {
        /// Not started, or closed.
        case idle
        /// Until the next attempt.
        case waiting(Timer)
        /// Another thread looks up the broker's name, and has the connection as long as it does.
        case lookingUp
        /// Until the broker answers, or its time is over. `hasWritten`: the socket has been ready for writing.
        case connecting(deadline: Timer, hasWritten: Bool)
        case connected(since: Instant, heartbeat: Timer)
    }

    /// Makes a client that does nothing before `start()`.
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
        outbox = Outbox(limits: settings.outbox)
        backoff = settings.backoff
        widestWindow = Int(settings.window)
        window = widestWindow
    }

    /// Begins to connect; once.
    package nonisolated func start() {
        assumeIsolated { client in
            guard case .idle = client.state, client.connection != nil else { return }
            client.connect()
        }
    }

    /// Publishes a message as soon as the broker takes it: now, or after the next connection.
    ///
    /// From the loop only. Of what can never be delivered the handler is told.
    package nonisolated func publish(_ message: Message, keeping: Keeping) {
        isolated(message, keeping) { client, message, keeping in
            guard !client.isClosing else {
                client.counts.dropped += 1
                return
            }
            client.enter(message, keeping)
            if client.isUnsettled { client.settle() }
        }
    }

    /// Publishes a message or, where the broker does not take it, another one in its place. From the loop only.
    package nonisolated func publish(_ message: Message, orElse fallback: Message) {
        assumeIsolated { client in
            guard !client.isClosing else {
                client.counts.dropped += 1
                return
            }
            client.outbox.put(message, keeping: .each, at: client.loop.now, fallback: Outbox.Fallback(fallback))
            client.lineGrew()
            client.settle()
        }
    }

    /// Asks for messages, now and after each connection. From the loop only.
    package nonisolated func subscribe(to filter: TopicFilter, _ subscription: Subscription = Subscription()) {
        assumeIsolated { client in
            client.subscriptions[filter] = subscription
            client.smallestArrival = min(client.smallestArrival, Self.smallestArrival(filter, subscription))
            guard case .connected = client.state else { return }
            client.ask(for: filter, subscription)
            client.settle()
        }
    }

    /// Asks no longer for messages. From the loop only.
    package nonisolated func unsubscribe(from filter: TopicFilter) {
        assumeIsolated { client in
            guard client.subscriptions.removeValue(forKey: filter) != nil else { return }
            client.cancel([filter])
        }
    }

    /// Asks no longer for anything. From the loop only.
    package nonisolated func unsubscribeFromAll() {
        assumeIsolated { client in
            let filters = client.subscriptions.keys
            client.subscriptions = [:]
            client.cancel(filters)
        }
    }

    /// Whether the broker has taken the client in. From the loop only.
    package nonisolated var isConnected: Bool {
        assumeIsolated { client in
            if case .connected = client.state { true } else { false }
        }
    }

    /// Whether nothing more is taken, since the client is closed or just being. From the loop only.
    package nonisolated var isClosed: Bool { assumeIsolated { $0.isClosing } }

    /// What has happened so far, and what waits. From the loop only.
    package nonisolated var statistics: Statistics {
        assumeIsolated { client in
            var statistics = client.counts
            statistics.dropped += client.outbox.dropped
            statistics.superseded += client.outbox.superseded
            statistics.expired += client.outbox.expired
            statistics.waiting = client.outbox.count + client.bundle.count
            statistics.waitingSize = client.bundle.reduce(client.outbox.size) { $0 + $1.message.size }
            statistics.unacknowledged = client.inFlight.count
            return statistics
        }
    }
}
