import Configuration
import Contract
import EventLoop
import MQTT

/// Checks whether the user of the bridge may publish as another gateway: a client with its password could then take the
/// shared devices away from all gateways.
enum GatewayAccessCheck {
    private static let limit = Duration.seconds(2)

    /// Publishes an empty report, which gateways ignore, under a name that no gateway has.
    ///
    /// - Returns: The finding if the broker delivers the report; nil: it does not, or the configuration shares no devices.
    static func finding(
        _ configuration: Configuration, at nodes: BrokerNodes, on loop: EventLoop,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Diagnosis? {
        let name = "\(configuration.gateway)-doctor"
        let events = Mailbox<Client.Event>()
        guard configuration.share != nil,
            let topics = try? Topics(prefix: configuration.broker.prefix, gateway: name),
            let settings = try? Client.Settings(configuration.broker.at(nodes), identifier: "bluefleet-\(name)"),
            let client = try? Client(settings, on: loop, handler: { events.put($0) })
        else { return nil }
        client.subscribe(to: TopicFilter(topics[.report]))
        let deadline = loop.schedule(after: limit) { events.close() }
        defer { deadline.cancel() }
        client.start()
        var isDelivered = false
        search: while let event = await events.next() {
            switch event {
            case .subscribed: client.publish(Message(topics[.report], []), policy: .each)
            case .received(let message):
                isDelivered = message.payload.isEmpty
                break search
            case .subscriptionRefused, .undeliverable, .disconnected, .refused: break search
            default: continue
            }
        }
        await client.close()
        guard isDelivered else { return nil }
        let user = configuration.broker.username.map { "the user \($0)" } ?? "every client of the broker"
        return .advice(
            "sharing access", "\(user) may publish as another gateway, and take all shared devices away",
            "give each gateway a user that may write \(topics.prefix)/bridge/ only below its own name")
    }
}
