import Contract
import JSON
import System

extension FleetStatus {
    /// The gateways and devices as JSON; a member that is not known is null.
    func json(at now: Timestamp) -> JSON {
        [
            "gateways": .array(gateways.map(\.json)), "devices": .array(devices.map(\.json)), "time": .text(now),
        ]
    }
}

extension FleetStatus.Gateway {
    fileprivate var json: JSON {
        [
            "name": .string(name), "state": .optional(state?.rawValue), "version": .optional(version),
            "started": .optional(started?.description), "bluetooth": .optional(bluetooth),
        ]
    }
}

extension FleetStatus.Device {
    fileprivate var json: JSON {
        [
            "name": .string(name), "gateway": .optional(gateway), "address": .optional(address),
            "state": .optional(state?.rawValue), "since": .optional(since?.description), "reason": .optional(reason),
            "connection": .optional(connection?.rawValue), "last_value": last?.json ?? .null,
            "last_seen": .optional(lastSeen?.description),
        ]
    }
}

extension FleetStatus.LastReading {
    /// The payload of the reading after its name.
    fileprivate var json: JSON {
        let payload = reading.json.object ?? [:]
        return .object(
            JSON.Object([("name", .string(name))] + payload.filter { $0.name != "name" }.map { ($0.name, $0.value) }))
    }
}

extension JSON {
    fileprivate static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
