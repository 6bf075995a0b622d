import Contract
import JSON
import System

/// The newest messages of a gateway.
struct GatewayRecord {
    private(set) var topics: [GatewayTopic: StoredPayload] = [:]
    /// nil if the payload of the topic is missing or not of this kind.
    private(set) var state: GatewayState?
    private(set) var info: GatewayInfo?
    private(set) var health: GatewayHealth?
    private(set) var adapters: AdapterReport?
    /// The devices by name; nil without a list.
    private(set) var entries: [String: ListedDevice]?
    /// The number of repairs since the start of the dashboard, by adapter and step.
    private(set) var repairs: [Repair: Int] = [:]

    struct Repair: Hashable {
        let adapter: String
        let step: String
    }

    /// A device that has left the list.
    private struct Departure {
        let name: String
        let time: Instant
    }

    /// The devices that have left the list within `renameTime`, by address.
    private var departures: [String: Departure] = [:]

    /// A renamed device leaves the list some seconds before it appears under its new name.
    private static let renameTime = Duration.seconds(60)
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

    /// Returns the devices of the list whose address had another name before.
    ///
    /// - Parameters:
    ///   - known: The list before.
    ///   - now: The present time.
    /// - Returns: The old and the new names.
    mutating func renames(since known: [String: ListedDevice], at now: Instant) -> [Rename] {
        let entries = entries ?? [:]
        departures = departures.filter { $0.value.time + Self.renameTime > now }
        for (name, entry) in known where entries[name] == nil && departures.count < Self.mostEntries {
            if let address = entry.address { departures[address] = Departure(name: name, time: now) }
        }
        var renames: [Rename] = []
        for (name, entry) in entries where known[name] == nil {
            guard let departure = entry.address.flatMap({ departures.removeValue(forKey: $0) }),
                entries[departure.name] == nil
            else { continue }
            renames.append(Rename(old: departure.name, new: name))
        }
        return renames
    }

    mutating func count(_ repair: Repair) {
        guard repairs[repair] != nil || repairs.count < Self.mostRepairs else { return }
        repairs[repair, default: 0] += 1
    }

    private static func entries(in payload: JSON) -> [String: ListedDevice]? {
        guard let list = ListedDevice.list(payload) else { return nil }
        let devices = list.prefix(mostEntries).filter { $0.name.utf8.count <= 512 }
        return Dictionary(devices.map { ($0.name, $0) }) { $1 }
    }
}
