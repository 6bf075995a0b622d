import Codec
import Contract
import JSON
import System

/// The gateways and devices below a prefix, from the retained messages of the broker.
struct FleetStatus {
    private let prefix: String
    /// The payloads of the topics `PREFIX/bridge/GATEWAY/…`, by gateway.
    private var gatewayPayloads: [String: [GatewayTopic: JSON]] = [:]
    /// The payloads of all other topics, without the prefix.
    private var payloads: [String: JSON] = [:]

    init(below prefix: String) {
        self.prefix = prefix
    }

    /// Stores the payload of a message; other messages than those of gateways and devices have no effect.
    mutating func receive(_ payload: [UInt8], on topic: String) {
        guard topic.hasPrefix("\(prefix)/") else { return }
        let name = String(topic.dropFirst(prefix.count + 1))
        let levels = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // An empty retained message removes the earlier one.
        let json = payload.isEmpty ? nil : try? JSON(parsing: payload)
        guard levels[0] == Topics.gatewayLevel else {
            payloads[name] = json
            return
        }
        guard levels.count == 3, let kind = GatewayTopic(rawValue: levels[2]), kind.isRetained else { return }
        gatewayPayloads[levels[1], default: [:]][kind] = json
    }

    /// Whether each gateway has published its devices, and each of these devices its availability.
    var isComplete: Bool {
        !gatewayPayloads.isEmpty
            && gatewayPayloads.values.allSatisfy { topics in
                guard let list = topics[.devices] else { return false }
                return Self.entries(of: list).allSatisfy { name, _ in payload(of: name, .availability) != nil }
            }
    }

    // MARK: Gateways

    struct ListedGateway: Equatable {
        let name: String
        /// nil if the gateway has not published its state.
        let state: GatewayState?
        let version: String?
        let started: Timestamp?
        let bluetooth: String?
    }

    /// The gateways, sorted by name.
    var gateways: [ListedGateway] {
        gatewayPayloads.sorted { $0.key < $1.key }.map { name, topics in
            ListedGateway(
                name: name, state: topics[.state].flatMap { GatewayState($0) },
                version: topics[.info]?["version"]?.string,
                started: topics[.info]?["started"]?.string.flatMap { Timestamp($0) },
                bluetooth: topics[.info]?["bluetooth"]?.string)
        }
    }

    // MARK: Devices

    struct ListedDevice: Equatable {
        let name: String
        /// nil if no gateway lists the device.
        let gateway: String?
        let address: String?
        var state: Availability.State?
        var reason: String?
        /// The begin of the state; nil if the gateway has not published it.
        var since: Timestamp?
        let connection: ConnectionStatus.State?
        /// The newest reading that the broker retains; nil if there is none.
        let last: LastReading?
        /// The time of the last connection, value or advertisement.
        let lastSeen: Timestamp?
    }

    struct LastReading: Equatable {
        /// The name of the characteristic or of the advertised quantity.
        let name: String
        let reading: ReadingPayload
    }

    /// The devices that a gateway lists or that have an availability, sorted by name.
    var devices: [ListedDevice] {
        let last = lastReadings
        var devices: [ListedDevice] = []
        var listed: Set<String> = []
        for (gateway, topics) in gatewayPayloads {
            guard let list = topics[.devices] else { continue }
            for (name, entry) in Self.entries(of: list) {
                listed.insert(name)
                devices.append(device(name, of: gateway, entry, last[name]))
            }
        }
        for name in namesWithAvailability where !listed.contains(name) {
            devices.append(device(name, of: payload(of: name, .info)?["gateway"]?.string, nil, last[name]))
        }
        return devices.sorted { ($0.name, $0.gateway ?? "") < ($1.name, $1.gateway ?? "") }
    }

    private func device(_ name: String, of gateway: String?, _ entry: JSON?, _ last: LastReading?) -> ListedDevice {
        let topics = gateway.flatMap { gatewayPayloads[$0] } ?? [:]
        let published = payload(of: name, .availability)
        let availability = (published ?? entry?["availability"]).flatMap { Availability($0) }
        // The entry in the list can be older than the message of the device.
        let isCurrent = entry?["availability"]?["state"]?.string == availability?.state.rawValue
        let begin = isCurrent ? entry?["availability"]?["since"]?.string : nil
        let health = topics[.health]?["devices"]?[name]
        var device = ListedDevice(
            name: name, gateway: gateway, address: entry?["address"]?.string, state: availability?.state,
            reason: availability?.reason, since: begin.flatMap { Timestamp($0) },
            connection: payload(of: name, .connection).flatMap { ConnectionStatus($0) }?.state, last: last,
            lastSeen: health?["last_seen"]?.string.flatMap { Timestamp($0) })
        // The retained states of a gateway that has ended remain at the broker.
        if let gateway, topics[.state].flatMap({ GatewayState($0) }) == .offline {
            (device.state, device.since) = (.offline, nil)
            device.reason = "the gateway \(gateway) is offline"
        }
        return device
    }

    private func payload(of device: String, _ topic: DeviceTopic) -> JSON? { payloads["\(device)/\(topic.name)"] }

    private var namesWithAvailability: [String] {
        let end = "/\(DeviceTopic.availability.name)"
        return payloads.compactMap { name, payload in
            name.hasSuffix(end) && Availability(payload) != nil ? String(name.dropLast(end.count)) : nil
        }
    }

    /// The newest reading of each device, by the name of the device.
    private var lastReadings: [String: LastReading] {
        let lists = gatewayPayloads.values.compactMap { $0[.devices] }
        let names = Set(lists.flatMap { Self.entries(of: $0).map(\.name) } + namesWithAvailability)
        var last: [String: LastReading] = [:]
        for (topic, payload) in payloads {
            guard let reading = ReadingPayload(payload), let device = Self.owner(of: topic, among: names) else {
                continue
            }
            let name = String(topic.dropFirst(device.count + 1))
            guard DeviceTopic(rawValue: name) == nil, !Self.isRequest(name) else { continue }
            // Readings of one packet have the same time: of these, the first name is chosen.
            let isNewer = last[device].map { newest in
                (newest.reading.time, name) < (reading.time, newest.name)
            }
            if isNewer ?? true { last[device] = LastReading(name: name, reading: reading) }
        }
        return last
    }

    /// Returns whether the rest of a topic belongs to requests and responses.
    private static func isRequest(_ name: String) -> Bool {
        [DeviceTopicGroup.request, .response].contains { name.hasPrefix($0.name("")) }
    }

    /// Returns the longest name of a device with which the topic begins; nil if there is none.
    private static func owner(of topic: String, among names: Set<String>) -> String? {
        var name = topic[...]
        while let slash = name.lastIndex(of: "/") {
            name = name[..<slash]
            if names.contains(String(name)) { return String(name) }
        }
        return nil
    }

    /// Returns the entries of a list of devices; entries of later versions may have more members.
    private static func entries(of list: JSON) -> [(name: String, entry: JSON)] {
        (list["devices"]?.array ?? []).compactMap { entry in entry["name"]?.string.map { ($0, entry) } }
    }
}
