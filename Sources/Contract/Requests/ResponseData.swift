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
    case options(OptionsResult)
    /// `device/options` of several devices
    case optionsOfDevices([OptionsResult])
    /// `reload`, with the names of the devices
    case reloaded(added: [String], changed: [String], removed: [String])
    /// `permit`, with the end of the adoption
    case permit(until: Timestamp)
    /// `spool`
    case spool(SpoolStatus)
    /// `fleet`
    case fleet(FleetOverview)
    /// `log`, with the end of the publication
    case log(topic: String, until: Timestamp)
    /// `log_level`
    case logLevel(Configuration.LogLevel)
    /// `pair` and `unpair`; the name is nil for a peripheral that is not configured.
    case bond(Address, device: String?, isBonded: Bool)
    /// `subscribe` and `unsubscribe`
    case subscription(String, isSubscribed: Bool)
    /// `write` and `set`; the value is nil if the bytes do not fit the format. `count` is the number of bytes that were
    /// written in pieces; nil without pieces.
    case written(String, hex: String, isConfirmed: Bool, JSON?, count: Int? = nil)
    /// `write` and `set`, if a piece of the value was refused: the bytes before it, and the length of the value.
    case partlyWritten(String, count: Int, of: Int)
    /// `history`, with the number of published records
    case history(String, records: Int)
    /// `connect` and `disconnect`
    case connection(ConnectionStatus, at: Timestamp)
    /// `rssi`, with the age of the last advertisement in milliseconds
    case signal(rssi: Int, age: Int64)

    package var json: JSON {
        switch self {
        case .device(let name): ["device": .string(name)]
        case .renamed(let name, let old): ["device": .string(name), "was": .string(old)]
        case .options(let result): Self.options(result)
        case .optionsOfDevices(let results): ["devices": .array(results.map(Self.options))]
        case .reloaded(let added, let changed, let removed):
            ["added": Self.list(added), "changed": Self.list(changed), "removed": Self.list(removed)]
        case .permit(let end): ["until": .text(end)]
        case .spool(let status): status.json
        case .fleet(let overview): overview.json
        case .log(let topic, let end): ["topic": .string(topic), "until": .text(end)]
        case .logLevel(let level): ["level": .string(level.rawValue)]
        case .bond(let address, let device, let isBonded): Self.bond(address, device, isBonded)
        case .subscription(let name, let isSubscribed):
            ["characteristic": .string(name), "subscribed": .bool(isSubscribed)]
        case .written(let name, let hex, let isConfirmed, let value, let count):
            Self.written(name, hex, isConfirmed, value, count)
        case .partlyWritten(let name, let count, let length):
            ["characteristic": .string(name), "written": .number(count), "length": .number(length)]
        case .history(let name, let count): ["characteristic": .string(name), "records": .number(count)]
        case .connection(let status, let time): status.json(at: time)
        case .signal(let rssi, let age): ["rssi": .number(rssi), "age_ms": .number(age)]
        }
    }

    private static func options(_ result: OptionsResult) -> JSON {
        var members: JSON.Object = ["device": .string(result.device), "options": .object(result.options)]
        if !result.warnings.isEmpty { members["warnings"] = list(result.warnings) }
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

    private static func written(
        _ name: String, _ hex: String, _ isConfirmed: Bool, _ value: JSON?, _ count: Int?
    ) -> JSON {
        var members: JSON.Object = [
            "characteristic": .string(name), "hex": .string(hex), "response": .bool(isConfirmed),
        ]
        members.add("value", value)
        members.add("written", count.map { .number($0) })
        return .object(members)
    }
}
