package import Bluetooth
package import Configuration
package import JSON
package import System

/// The member `data` of a successful response, for the verbs whose data is not described by another room.
package enum ResponseData: Sendable {
    /// The name of the device: `device/add` and `device/remove`.
    case device(String)
    /// `device/rename`
    case renamed(String, was: String)
    /// `device/options`, with all options of the device
    case options(JSON.Object, device: String, warnings: [String] = [])
    /// `reload`, with the names of the devices
    case reloaded(added: [String], changed: [String], removed: [String])
    /// `permit`, with the end of the adoption
    case permit(until: Timestamp)
    /// `spool`
    case spool(SpoolStatus)
    /// `log`, with the end of the publication
    case log(topic: String, until: Timestamp)
    /// `log_level`
    case logLevel(Configuration.LogLevel)
    /// `pair` and `unpair`; the name is nil for a peripheral that is not configured.
    case bond(Address, device: String?, isBonded: Bool)
    /// `subscribe` and `unsubscribe`
    case subscription(String, isSubscribed: Bool)
    /// `write` and `set`; the value is nil if the bytes do not fit the format.
    case written(String, hex: String, isConfirmed: Bool, JSON?)
    /// `connect` and `disconnect`
    case connection(ConnectionStatus, at: Timestamp)
    /// `rssi`, with the age of the last advertisement in milliseconds
    case signal(rssi: Int, age: Int64)

    package var json: JSON {
        switch self {
        case .device(let name): ["device": .string(name)]
        case .renamed(let name, let old): ["device": .string(name), "was": .string(old)]
        case .options(let options, let device, let warnings): Self.options(options, device, warnings)
        case .reloaded(let added, let changed, let removed):
            ["added": Self.list(added), "changed": Self.list(changed), "removed": Self.list(removed)]
        case .permit(let end): ["until": .text(end)]
        case .spool(let status): status.json
        case .log(let topic, let end): ["topic": .string(topic), "until": .text(end)]
        case .logLevel(let level): ["level": .string(level.rawValue)]
        case .bond(let address, let device, let isBonded): Self.bond(address, device, isBonded)
        case .subscription(let name, let isSubscribed):
            ["characteristic": .string(name), "subscribed": .bool(isSubscribed)]
        case .written(let name, let hex, let isConfirmed, let value): Self.written(name, hex, isConfirmed, value)
        case .connection(let status, let time): status.json(at: time)
        case .signal(let rssi, let age): ["rssi": .number(rssi), "age_ms": .number(age)]
        }
    }

    private static func options(_ options: JSON.Object, _ device: String, _ warnings: [String]) -> JSON {
        var members: JSON.Object = ["device": .string(device), "options": .object(options)]
        if !warnings.isEmpty { members["warnings"] = list(warnings) }
        return .object(members)
    }

    private static func list(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }

    private static func bond(_ address: Address, _ device: String?, _ isBonded: Bool) -> JSON {
        var members: JSON.Object = [:]
        members.add("device", device)
        members["address"] = .text(address)
        members["bonded"] = .bool(isBonded)
        return .object(members)
    }

    private static func written(_ name: String, _ hex: String, _ isConfirmed: Bool, _ value: JSON?) -> JSON {
        var members: JSON.Object = [
            "characteristic": .string(name), "hex": .string(hex), "response": .bool(isConfirmed),
        ]
        members.add("value", value)
        return .object(members)
    }
}
