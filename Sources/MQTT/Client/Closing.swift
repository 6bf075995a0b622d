/// The phase in the closing of a client, and the step that `Client.close` waits for.
struct Closing {
    enum Phase {
        /// The client is not being closed.
        case open
        /// The subscriptions are being cancelled. Messages may still be published, e.g. responses.
        case unsubscribing
        /// The queue is being sent. New messages are dropped.
        case draining
    }

    /// A condition that `Client.close` waits for.
    struct Step {
        let isDone: () -> Bool
        let end: () -> Void
    }

    private(set) var phase = Phase.open
    private(set) var step: Step?

    /// Whether new messages are dropped.
    var isDraining: Bool { phase == .draining }
    /// Whether `Client.close` has been called.
    var hasBegun: Bool { phase != .open }

    mutating func begin() {
        phase = .unsubscribing
    }

    mutating func drain() {
        phase = .draining
    }

    mutating func wait(for step: Step) {
        self.step = step
    }

    /// Removes and returns the step that `Client.close` waits for; nil if there is none.
    mutating func takeStep() -> Step? {
        defer { step = nil }
        return step
    }
}

extension Client {
    /// A message that was not acknowledged when the client was closed.
    package struct Unsent: Sendable {
        package let message: Message
        /// The message to publish if the broker does not accept `message`.
        package let fallback: Message?
    }
}
