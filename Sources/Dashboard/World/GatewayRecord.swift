import Contract
import JSON
import System

/// The newest messages of a gateway.
struct GatewayRecord {
    /// A device in the list of a gateway.
    struct Entry {
        /// The entry as JSON text.
        let text: [UInt8]
        let address: String?
        let profile: String?
        let availability: Availability?
        /// Since when the availability has been the same.
        let since: Timestamp?
    }

    private(set) var topics: [GatewayTopic: StoredPayload] = [:]
    /// nil if the payload of the topic is missing or not of this kind.
    private(set) var state: GatewayState?
    private(set) var info: GatewayInfo?
    private(set) var health: GatewayHealth?
    private(set) var adapters: AdapterReport?
    /// The devices by name; nil without a list.
    private(set) var entries: [String: Entry]?
    /// The number of repairs since the start of the dashboard, by adapter and step.
    private(set) var repairs: [Repair: Int] = [:]

    struct Repair: Hashable {
        let adapter: String
        let step: String
    }

    private static let mostEntries = 4000
    private static let mostRepairs = 64

    /// Stores a payload; nil: removes the payload of the topic.
    mutating func store(_ payload: ReceivedPayload?, _ topic: GatewayTopic, connection: Int) {
        topics[topic] = payload.map { StoredPayload(text: $0.text, connection: connection) }
        let json = payload?.json
        switch topic {
        case .state: state = json.flatMap { GatewayState($0) }
        case .info: info = json.flatMap { GatewayInfo($0) }
        case .health: health = json.flatMap { GatewayHealth($0) }
        case .adapters: adapters = json.flatMap { AdapterReport($0) }
        case .devices: entries = json.flatMap { Self.entries(in: $0) }
        case .event, .pairing, .log, .report, .decision, .changes: break
        }
    }

    /// Notes that another connection has delivered the same payload.
    mutating func confirm(_ topic: GatewayTopic, connection: Int) {
        topics[topic]?.connection = connection
    }

    mutating func count(_ repair: Repair) {
        guard repairs[repair] != nil || repairs.count < Self.mostRepairs else { return }
        repairs[repair, default: 0] += 1
    }

    /// Entries of later versions may have more members.
    private static func entries(in list: JSON) -> [String: Entry]? {
        guard let array = list["devices"]?.array else { return nil }
        var entries: [String: Entry] = [:]
        for json in array.prefix(mostEntries) {
            guard let name = json["name"]?.string, !name.isEmpty, name.utf8.count <= 512 else { continue }
            var text: [UInt8] = []
            json.append(to: &text)
            entries[name] = Entry(
                text: text, address: json["address"]?.string, profile: json["profile"]?.string,
                availability: json["availability"].flatMap { Availability($0) },
                since: json["availability"]?["since"]?.string.flatMap { Timestamp($0) })
        }
        return entries
    }
}
