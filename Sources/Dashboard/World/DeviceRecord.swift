import Contract
import JSON
import System

/// The newest messages of a device.
struct DeviceRecord {
    /// The payloads by the part of the topic after the name of the device.
    private(set) var topics: [String: StoredPayload] = [:]
    private(set) var availability: Availability?
    private(set) var connection: ConnectionStatus?
    /// The name of the gateway in the topic `info`.
    private(set) var gateway: String?
    /// The address in the topic `info`.
    private(set) var address: String?
    /// The newest values by name.
    private(set) var readings: [String: DashboardReading] = [:]
    /// The newest events as JSON text, oldest first.
    private(set) var events: [[UInt8]] = []
    /// When the device appeared in the list of a gateway that was known before; nil if it has always been there.
    private(set) var added: Timestamp?
    /// The characteristics with one field that can be written, by the name of the reading that is their state.
    private(set) var switches: [String: String] = [:]
    /// The units in the topic `info`, by name of the reading.
    private(set) var units: [String: String] = [:]

    private static let mostTopics = 256
    private static let mostEvents = 50
    private static let longestEvent = 4096

    /// Whether the device can have another topic.
    func hasRoom(for topic: String) -> Bool { topics[topic] != nil || topics.count < Self.mostTopics }

    mutating func appeared(at time: Timestamp) {
        added = time
    }

    /// Stores a payload; nil: removes the payload of the topic.
    ///
    /// - Returns: The fields of a reading.
    @discardableResult
    mutating func store(
        _ payload: ReceivedPayload?, _ topic: String, connection number: Int, expiry: Instant?, at time: Timestamp
    ) -> [(name: String, reading: DashboardReading)] {
        topics[topic] = payload.map { StoredPayload(text: $0.text, connection: number) }
        switch DeviceTopic(rawValue: topic) {
        case .availability: availability = payload?.json.flatMap { Availability($0) }
        case .connection: connection = payload?.json.flatMap { ConnectionStatus($0) }
        case .info: storeInfo(payload?.json.flatMap { DescribedDevice($0) })
        case nil: return storeReading(payload, topic, expiry: expiry, at: time)
        }
        return []
    }

    /// Notes that another connection has delivered the same payload.
    mutating func confirm(_ topic: String, connection: Int) {
        topics[topic]?.connection = connection
    }

    mutating func add(event: [UInt8]) {
        guard event.count <= Self.longestEvent else { return }
        if events.count >= Self.mostEvents { events.removeFirst() }
        events.append(event)
    }

    private mutating func storeInfo(_ info: DescribedDevice?) {
        gateway = info?.gateway
        address = info?.address
        units = [:]
        switches = [:]
        for characteristic in info?.characteristics.prefix(Self.mostTopics) ?? [] {
            let (name, fields) = (characteristic.name, characteristic.fields)
            for field in fields.prefix(Self.mostTopics) {
                guard let unit = field.unit else { continue }
                units[fields.count == 1 ? name : "\(name).\(field.name)"] = unit.cut(to: 64)
            }
            guard fields.count == 1, characteristic.canWrite else { continue }
            switches[(characteristic.state ?? name).cut(to: 256)] = name
        }
    }

    /// The units of readings that have no value, by name.
    var unitsOfMissingReadings: [String: String] {
        units.filter { readings[$0.key] == nil }
    }

    private mutating func storeReading(
        _ payload: ReceivedPayload?, _ topic: String, expiry: Instant?, at time: Timestamp
    ) -> [(name: String, reading: DashboardReading)] {
        let parsed = payload.map { ReadingFields($0, topic, units: units) }
        let values = (parsed?.fields ?? []).map { field in
            (
                name: field.name,
                reading: DashboardReading(
                    content: field.content, unit: field.unit, time: parsed?.time ?? time, expiry: expiry)
            )
        }
        // Fields that are missing now have no present value.
        for name in readings.keys where name == topic || name.hasPrefix("\(topic).") { readings[name] = nil }
        for (name, reading) in values { readings[name] = reading }
        return values
    }

    /// Returns the fields of a late reading, which is not stored.
    func lateFields(_ payload: ReceivedPayload, _ topic: String) -> ReadingFields {
        ReadingFields(payload, topic, units: units)
    }
}
