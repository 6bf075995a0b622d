import Contract
import JSON
import MQTT
import Sharing
import System

/// Reads the messages of other gateways; those that are not valid are counted.
struct FleetInbox {
    /// The meaning of a message.
    enum Meaning {
        case event(FleetEvent)
        /// The gateway runs, and whether it shares devices.
        case online(isSharing: Bool)
        /// The names of the devices of a gateway.
        case devices(Set<String>)
        /// The gateway has ended, and shared no devices.
        case offline
        /// The message changes nothing.
        case nothing
        /// The message is not of this kind, exceeds `FleetLimits`, or names another gateway than its topic.
        case invalid
    }

    private var parts = FleetReportParts()
    /// The number of messages that were not valid.
    private(set) var invalidCount = 0

    /// The depth of the JSON: a request has up to 32 levels.
    private static let depth = 40

    /// Returns the meaning of a message from the topic of a gateway.
    mutating func read(_ message: Message, from source: (gateway: String, kind: GatewayTopic)) -> Meaning {
        let meaning = meaning(of: message, from: source)
        if case .invalid = meaning { invalidCount += 1 }
        return meaning
    }

    private mutating func meaning(of message: Message, from source: (gateway: String, kind: GatewayTopic)) -> Meaning {
        guard source.kind.isRetained || !message.isRetained else { return .invalid }
        // Removes a retained state, or is the test of bluefleet doctor.
        guard !message.payload.isEmpty else { return .nothing }
        guard let json = try? JSON(parsing: message.payload, limit: FleetLimits.payload, depth: Self.depth) else {
            return .invalid
        }
        switch source.kind {
        case .report:
            guard let report = FleetReport(json) else { return .invalid }
            return parts.add(report, of: source.gateway).map { .event(.report($0, gateway: source.gateway)) }
                ?? .nothing
        case .decision:
            guard let decision = FleetDecision(json), decision.key.gateway == source.gateway else { return .invalid }
            return .event(.decision(decision))
        case .changes:
            return FleetChanges(json).map { .event(.changes($0, gateway: source.gateway)) } ?? .invalid
        case .devices: return DeviceList(json).map { .devices(Set($0.devices.map(\.name))) } ?? .invalid
        case .info, .health, .adapters, .event, .pairing, .log: return .nothing
        case .state:
            let connection = FleetConnection(json)
            switch (GatewayState(json), connection) {
            case (.online, _): return .online(isSharing: connection != nil)
            case (.offline, let connection?):
                return .event(
                    .will(gateway: source.gateway, start: connection.start, connection: connection.number))
            case (.offline, nil): return .offline
            case (nil, _): return .nothing
            }
        }
    }
}

extension GatewayTopic {
    /// Whether other gateways read the topic.
    var isOfFleet: Bool { [.report, .decision, .changes, .state, .devices].contains(self) }
}
