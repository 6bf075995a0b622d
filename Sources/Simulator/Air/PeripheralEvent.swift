package import Bluetooth
import DBus
import EventLoop
package import System

/// An event of a peripheral, as the peripheral sees it.
package struct PeripheralEvent: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case connected, disconnected, read, write, command, subscribed, unsubscribed, paired
        /// A reliable write: the peripheral has returned each part before the write took effect.
        case reliableWrite = "write reliable"
    }

    package var time: Timestamp
    package var kind: Kind
    /// The characteristic or descriptor; nil for an event of the connection.
    package var uuid: UUID?
    package var value: [UInt8] = []
    /// The client's unique name on the bus; `bluetoothd` for its own requests; empty if the peripheral is the cause.
    package var client: String
}

extension PeripheralEvent {
    /// The event as `GetEvents` returns it: `time` in milliseconds since 1970, `event`, `uuid`, `value`, `client`.
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
