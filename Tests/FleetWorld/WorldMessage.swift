import Contract
import JSON

/// A value that a device sent, as a gateway publishes it.
struct WorldReading {
    let device: Int
    /// The number of the packet.
    let packet: Int
    /// Whether the packet came over a connection, and not as an advertisement.
    let isFromLink: Bool
    /// The index of the gateway.
    let gateway: Int
    /// The stamp of the assignment under which the packet arrived; nil: the gateway did not own the device.
    let stamp: FleetStamp?
}

/// A response to a request, as a gateway publishes it.
struct WorldResponse {
    let request: String
    let device: Int
    let status: String
    /// The index of the gateway.
    let gateway: Int
    /// Whether the gateway has known no response to the request before.
    let isNew: Bool
}

/// A message through the broker.
enum WorldMessage {
    /// The name of the gateway in the topic, and its report.
    case report(String, FleetReport)
    case decision(FleetDecision)
    case will(String, start: String, connection: Int)
    case request(String, FleetRequest)
    case reading(WorldReading)
    case response(WorldResponse)

    /// Returns the message after it was written and parsed as JSON.
    var throughJSON: WorldMessage {
        switch self {
        case .report(let name, let report):
            guard let json = try? JSON(parsing: report.json.description), let parsed = FleetReport(json) else {
                preconditionFailure("a report cannot be parsed: \(report.json)")
            }
            return .report(name, parsed)
        case .decision(let decision):
            guard let json = try? JSON(parsing: decision.json.description), let parsed = FleetDecision(json) else {
                preconditionFailure("a decision cannot be parsed: \(decision.json)")
            }
            return .decision(parsed)
        default: return self
        }
    }
}
