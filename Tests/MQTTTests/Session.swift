import EventLoop
import TestSupport

@testable import MQTT

/// A client under test and what it has told so far.
struct Session {
    let client: Client
    private let events = Mailbox<Client.Event>()

    /// Makes a client of `broker` and starts it.
    init(
        _ broker: Broker, _ identifier: String = "test", on loop: EventLoop, start: Bool = true,
        _ configure: (inout Client.Settings) -> Void = { _ in }
    ) throws {
        try self.init(broker.port, identifier, on: loop, start: start, configure)
    }

    /// Makes a client of the broker on a port of this machine and starts it.
    init(
        _ port: UInt16, _ identifier: String = "test", on loop: EventLoop, start: Bool = true,
        _ configure: (inout Client.Settings) -> Void = { _ in }
    ) throws {
        var settings = Client.Settings(.tcp(host: "127.0.0.1", port: port), identifier: identifier)
        settings.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(50))
        configure(&settings)
        client = try Client(settings, on: loop) { [events] in events.put($0) }
        if start { client.start() }
    }

    /// Cuts the client's connection.
    func breakOff() {
        client.assumeIsolated { $0.connection?.breakOff() }
    }

    /// Waits for an event of which `select` makes something; what comes before it is passed over.
    func next<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ select: (Client.Event) -> Value?
    ) async -> Value {
        while let event = await events.next() {
            if let value = select(event) { return value }
        }
        preconditionFailure("the mailbox of a test is never closed")
    }

    func connected(isolation: isolated (any Actor)? = #isolation) async {
        _ = await next { if case .connected = $0 { true } else { nil } }
    }

    func disconnected(isolation: isolated (any Actor)? = #isolation) async -> String {
        await next { if case .disconnected(let reason, _) = $0 { reason } else { nil } }
    }

    func refusal(isolation: isolated (any Actor)? = #isolation) async -> Refusal {
        await next { if case .refused(let refusal, _) = $0 { refusal } else { nil } }
    }

    /// Waits for a message that cannot be delivered and gives its topic and the reason.
    func undeliverable(isolation: isolated (any Actor)? = #isolation) async -> String {
        await next { event in
            if case .undeliverable(let message, let reason) = event { "\(message.topic): \(reason)" } else { nil }
        }
    }

    func fellBehind(isolation: isolated (any Actor)? = #isolation) async {
        await next { if case .fellBehind = $0 { () } else { nil } }
    }

    func caughtUp(isolation: isolated (any Actor)? = #isolation) async {
        await next { if case .caughtUp = $0 { () } else { nil } }
    }

    func message(isolation: isolated (any Actor)? = #isolation) async -> Message {
        await next { if case .received(let message) = $0 { message } else { nil } }
    }

    /// Waits for so many messages and gives their payloads as text.
    func texts(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> [String] {
        var texts: [String] = []
        while texts.count < count {
            texts.append(await message().text ?? "")
        }
        return texts
    }

    /// Subscribes and waits until the broker has agreed.
    func subscribe(
        to filter: TopicFilter, _ subscription: Subscription = Subscription(),
        isolation: isolated (any Actor)? = #isolation
    ) async {
        client.subscribe(to: filter, subscription)
        await subscribed()
    }

    func subscribed(isolation: isolated (any Actor)? = #isolation) async {
        _ = await next { if case .subscribed = $0 { true } else { nil } }
    }
}

extension LoopActor {
    /// Lets the loop turn until `condition` holds.
    func until(_ condition: () -> Bool) async {
        while !condition() {
            await loop.sleep(for: .milliseconds(1))
        }
    }
}

extension Message {
    init(_ topic: Topic, text: String, isRetained: Bool = false) {
        self.init(topic, Array(text.utf8), isRetained: isRetained)
    }
}
