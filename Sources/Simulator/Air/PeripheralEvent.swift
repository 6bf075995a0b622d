package import Bluetooth
import DBus
package import EventLoop

/// Something that happened to a peripheral, seen from its side.
package struct PeripheralEvent: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case connected, disconnected, read, write, command, subscribed, unsubscribed, paired
        /// A write whose pieces were sent back before it counted.
        case reliableWrite = "write reliable"
    }

    package var time: Timestamp
    package var kind: Kind
    /// The characteristic or descriptor.
    package var uuid: UUID?
    package var value: [UInt8] = []
    /// The client's name on the bus, or `bluetoothd` for what that does by itself; empty for the peripheral.
    package var client: String
}

extension PeripheralEvent {
    /// As `GetEvents` tells it: `time` in milliseconds since 1970, `event`, `uuid`, `value`, `client`.
    var properties: Variant {
        var properties: [String: Variant] = [
            "time": .int64(time.milliseconds), "event": .string(kind.rawValue), "client": .string(client),
        ]
        if let uuid {
            properties["uuid"] = .string(uuid.description)
            properties["value"] = .bytes(value)
        }
        return .properties(properties)
    }
}
