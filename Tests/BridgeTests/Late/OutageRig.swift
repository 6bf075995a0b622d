import Configuration
import EventLoop
import JSON
import Spool
import System
import TestSupport
import Testing

@testable import Bridge
@testable import Contract
@testable import MQTT

/// A broker, a subscriber to late messages, and publishers, on a loop whose clock only the test moves.
final class OutageRig: @unchecked Sendable {
    /// A late message that the subscriber received.
    struct Late {
        let id: Int
        let number: Int
    }

    let loop: EventLoop
    /// The time at the start of the rig.
    let start: Instant
    let folder: TemporaryFolder
    let configuration: Configuration
    private let broker: Broker
    private var clients: [Client] = []
    /// Called for each late message.
    var received: (Late) -> Void = { _ in }
    /// Called for each other message.
    var receivedLive: (Message) -> Void = { _ in }

    /// - Parameters:
    ///   - loop: a loop with a manual clock.
    ///   - spool: the section `spool` of the configuration.
    /// - Throws: an error of the broker, of the configuration, or of the file system.
    init(_ loop: EventLoop, spool: String = "{keep: all}") async throws {
        (self.loop, start) = (loop, loop.now)
        folder = try TemporaryFolder()
        broker = try Broker()
        configuration = try Configuration(
            yaml: """
                gateway: attic
                state_directory: \(folder.path)
                mqtt: {url: "mqtt://127.0.0.1:\(broker.port)"}
                spool: \(spool)
                """)
        let subscribed = Mailbox<Void>()
        let subscriber = try client("subscriber") { [unowned self] event in
            switch event {
            case .received(let message): handle(message)
            case .subscribed: subscribed.put(())
            default: break
            }
        }
        subscriber.subscribe(to: "#")
        subscriber.start()
        _ = await subscribed.next()
    }

    func close() async {
        for client in clients { await client.close() }
        folder.remove()
    }

    private func handle(_ message: Message) {
        guard "\(message.topic)".contains("/late/") else { return receivedLive(message) }
        guard let json = message.json, let id = json["id"]?.int, let number = json["value"]?.int else { return }
        received(Late(id: id, number: number))
    }

    private func client(_ name: String, _ handler: @escaping @Sendable (Client.Event) -> Void) throws -> Client {
        var settings = Client.Settings(.tcp(host: "127.0.0.1", port: broker.port), identifier: name)
        // The clock of the test moves fast: no answer of the broker would be in time.
        settings.keepAlive = .seconds(65_000)
        settings.acknowledgementTimeout = .seconds(1_000_000)
        let client = try Client(settings, on: loop, handler: handler)
        clients.append(client)
        return client
    }

    /// Returns a publisher, whose client is not started.
    func publisher(
        _ number: Int, prefix: String = "bluefleet", _ handler: @escaping @Sendable (Client.Event) -> Void = { _ in }
    ) throws -> Publisher {
        try Publisher(
            number: number, client: client("publisher-\(number)", handler), broker: configuration.broker.nodes,
            MessageBuilder(
                topics: try Topics(prefix: prefix, gateway: "attic"), qualityOfService: .atLeastOnce, keep: .all,
                gateway: "attic"), LateNumbers())
    }

    /// Starts the client of a publisher, and returns when it is connected.
    func connect(_ publisher: Publisher) async {
        publisher.client.start()
        while !publisher.client.isConnected { await turn() }
    }

    /// Moves the clock until `condition` holds: in steps of 50 ms, or of 1 ms while a client waits for the broker.
    ///
    /// - Returns: Whether the condition holds; false after an hour without `progress`.
    func pass(progress: () -> Int, until condition: () async -> Bool) async -> Bool {
        var (last, changed) = (progress(), loop.now)
        while await !condition() {
            let isIdle = clients.allSatisfy { $0.statistics.unacknowledged + $0.statistics.waiting == 0 }
            loop.advance(by: .milliseconds(isIdle ? 50 : 1))
            await turn()
            let present = progress()
            if present != last { (last, changed) = (present, loop.now) }
            guard loop.now - changed < .seconds(3600) else { return false }
        }
        return true
    }

    /// Lets the loop do its other work once.
    func turn() async { await loop.sleep(for: .zero) }

    /// Returns a message with a number as its value, which only the spool has.
    ///
    /// `time` is the time of the value; nil: the present one.
    func kept(_ number: Int, _ filling: String = "", time: Timestamp? = nil) -> KeptMessage {
        let payload = #"{"value":\#(number),"unit":"°C\#(filling)","time":"\#(time ?? loop.timestamp)"}"#
        return KeptMessage(
            message: Message("bluefleet/greenhouse/temperature", Array(payload.utf8)), place: number,
            published: loop.now, isWaiting: false)
    }

    /// Returns a record of a publisher with a number as its value.
    func record(_ number: Int, of publisher: Publisher) -> SpoolRecord {
        SpoolRecord(
            broker: publisher.spoolName, topic: "d/t", payload: Array(#"{"value":\#(number)}"#.utf8), isBare: false,
            time: loop.timestamp, moment: loop.now)
    }
}

/// Runs `body` with a rig on a loop with a manual clock.
func withOutageRig(
    spool: String = "{keep: all}", _ body: @escaping @Sendable (isolated LoopActor, OutageRig) async throws -> Void
) throws {
    try EventLoop.run(time: .manual) { home in
        let rig = try await OutageRig(home.loop, spool: spool)
        do {
            try await body(home, rig)
        } catch {
            await rig.close()
            throw error
        }
        await rig.close()
    }
}
