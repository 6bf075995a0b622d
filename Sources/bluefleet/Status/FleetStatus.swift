import Codec
import Contract
import JSON
import System

/// The gateways and devices below a prefix, from the retained messages of the broker.
struct FleetStatus {
    private let prefix: String
    /// The retained states of the gateways, by name.
    private var published: [String: PublishedStates] = [:]
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
        published[levels[1], default: PublishedStates()].store(json, kind)
    }

    /// The retained states of a gateway; a state is nil if the gateway has published none of its kind.
    private struct PublishedStates {
        var state: GatewayState?
        var info: DescribedGateway?
        var health: JSON?
        var devices: [ListedDevice]?

        mutating func store(_ json: JSON?, _ topic: GatewayTopic) {
            switch topic {
            case .state: state = json.flatMap { GatewayState($0) }
            case .info: info = json.map { DescribedGateway($0) }
            case .health: health = json
            case .devices: devices = json.flatMap { ListedDevice.list($0) }
            case .adapters, .event, .pairing, .log, .report, .decision, .changes: break
            }
        }
    }

    /// Whether each gateway has published its devices, and each of these devices its availability.
    var isComplete: Bool {
        !published.isEmpty
            && published.values.allSatisfy { states in
                states.devices?.allSatisfy { payload(of: $0.name, .availability) != nil } ?? false
            }
    }

    // MARK: Gateways

    struct Gateway: Equatable {
        let name: String
        /// nil if the gateway has not published its state.
        let state: GatewayState?
        let version: String?
        let started: Timestamp?
        let bluetooth: String?
    }

    /// The gateways, sorted by name.
    var gateways: [Gateway] {
        published.sorted { $0.key < $1.key }.map { name, states in
            Gateway(
                name: name, state: states.state, version: states.info?.version, started: states.info?.started,
                bluetooth: states.info?.bluetooth)
        }
    }

    // MARK: Devices

    struct Device: Equatable {
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
    var devices: [Device] {
        let last = lastReadings
        var devices: [Device] = []
        var listed: Set<String> = []
        for (gateway, states) in published {
            for entry in states.devices ?? [] {
                listed.insert(entry.name)
                devices.append(device(entry.name, of: gateway, entry, last[entry.name]))
            }
        }
        for name in namesWithAvailability where !listed.contains(name) {
            let info = payload(of: name, .info).flatMap { DescribedDevice($0) }
            devices.append(device(name, of: info?.gateway, nil, last[name]))
        }
        return devices.sorted { ($0.name, $0.gateway ?? "") < ($1.name, $1.gateway ?? "") }
    }

    private func device(
        _ name: String, of gateway: String?, _ entry: ListedDevice?, _ last: LastReading?
    ) -> Device {
        let states = gateway.flatMap { published[$0] }
        let availability = payload(of: name, .availability).flatMap { Availability($0) } ?? entry?.availability
        // The entry in the list can be older than the message of the device.
        let isCurrent = entry?.availability?.state == availability?.state
        var device = Device(
            name: name, gateway: gateway, address: entry?.address, state: availability?.state,
            reason: availability?.reason, since: isCurrent ? entry?.since : nil,
            connection: payload(of: name, .connection).flatMap { ConnectionStatus($0) }?.state, last: last,
            lastSeen: states?.health.flatMap { GatewayHealth.lastSeen(of: name, in: $0) })
        // The retained states of a gateway that has ended remain at the broker.
        if let gateway, states?.state == .offline {
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
        let listed = published.values.flatMap { $0.devices ?? [] }
        let names = Set(listed.map(\.name) + namesWithAvailability)
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
}
