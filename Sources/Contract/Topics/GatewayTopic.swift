/// A topic that each gateway has exactly once: `PREFIX/bridge/GATEWAY/…`.
package enum GatewayTopic: String, CaseIterable, Sendable {
    case state, info, health, adapters, devices, event, pairing, log
    case report = "fleet/report"
    case decision = "fleet/decision"
    case changes = "fleet/changes"

    /// The levels of the topic after `PREFIX/bridge/GATEWAY/`.
    package var name: String { rawValue }

    /// Whether the broker keeps the last message for later subscribers.
    package var isRetained: Bool {
        switch self {
        case .state, .info, .health, .adapters, .devices: true
        case .event, .pairing, .log, .report, .decision, .changes: false
        }
    }
}

extension GatewayEvent {
    /// The topic of the event.
    package var topic: GatewayTopic { isSecret ? .pairing : .event }
}

/// Topics of a gateway that end with a name; none is retained.
package enum GatewayTopicGroup: String, CaseIterable, Sendable {
    case late, request, response

    /// Returns the levels of a topic after `PREFIX/bridge/GATEWAY/`.
    package func name(_ name: String) -> String { "\(rawValue)/\(name)" }
}
