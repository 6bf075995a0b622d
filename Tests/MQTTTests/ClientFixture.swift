import EventLoop
import Glibc
import System
import TestSupport

@testable import MQTT

/// A client under test and the events that its handler received.
struct ClientFixture {
    let client: Client
    private let events = Mailbox<Client.Event>()

    /// Creates a client of `broker` and starts it.
    init(
        _ broker: Broker, _ identifier: String = "test", on loop: EventLoop, start: Bool = true,
        _ configure: (inout Client.Settings) -> Void = { _ in }
    ) throws {
        try self.init(broker.port, identifier, on: loop, start: start, configure)
    }

    /// Creates a client of the broker on a local port and starts it.
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

    /// Ends the client's connection without DISCONNECT.
    func abort() {
        client.assumeIsolated { $0.connection?.abort() }
    }

    /// Lets libmosquitto read a number of acknowledgements from the broker's socket.
    ///
    /// - Parameters:
    ///   - count: The number of acknowledgements.
    ///   - size: The number of bytes that must have arrived before, without a turn of the loop.
    /// - Returns: The number of bytes that were not read.
    /// - Throws: `LibraryError` if libmosquitto fails.
    func read(_ count: Int, of size: Int) throws -> Int {
        try client.assumeIsolated { client in
            guard let connection = client.connection, let descriptor = connection.descriptor else { return -1 }
            var received: Int32 = 0
            while received < size { _ = ioctl(descriptor, UInt(FIONREAD), &received) }
            try connection.read(expecting: 5) { _ in count }
            _ = ioctl(descriptor, UInt(FIONREAD), &received)
            return Int(received)
        }
    }

    /// Closes the client; a loaded host may delay the broker.
    func close() async {
        await client.close(within: .seconds(60))
    }

    /// Returns the first value that `select` returns for an event; skips the events before it.
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
        await next { if case .disconnected(let reason, _, _) = $0 { reason } else { nil } }
    }

    func endCause(isolation: isolated (any Actor)? = #isolation) async -> EndCause {
        await next { if case .disconnected(_, let cause, _) = $0 { cause } else { nil } }
    }

    func refusal(isolation: isolated (any Actor)? = #isolation) async -> Refusal {
        await next { if case .refused(let refusal, _) = $0 { refusal } else { nil } }
    }

    /// Returns topic and reason of the next undeliverable message.
    func undeliverable(isolation: isolated (any Actor)? = #isolation) async -> String {
        await next { event in
            if case .undeliverable(let message, let reason, _) = event { "\(message.topic): \(reason)" } else { nil }
        }
    }

    func kept(isolation: isolated (any Actor)? = #isolation) async -> [KeptMessage] {
        await next { if case .kept(let messages) = $0 { messages } else { nil } }
    }

    func copied(isolation: isolated (any Actor)? = #isolation) async -> [KeptMessage] {
        await next { if case .copied(let messages) = $0 { messages } else { nil } }
    }

    func copiesEnded(isolation: isolated (any Actor)? = #isolation) async {
        await next { if case .copiesEnded = $0 { () } else { nil } }
    }

    /// Returns the place of the next settled message.
    func settled(isolation: isolated (any Actor)? = #isolation) async -> Int {
        await next { if case .settled(let place) = $0 { place } else { nil } }
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

    /// Returns the payloads of the next `count` messages as text.
    func texts(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> [String] {
        var texts: [String] = []
        while texts.count < count {
            texts.append(await message().text ?? "")
        }
        return texts
    }

    /// Subscribes and waits for the broker's answer.
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
    /// Runs the loop until `condition` returns true.
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
