package import Bluetooth
import DBus
import EventLoop
package import System

/// A recorded event of a simulated peripheral, such as a connection or a read.
package struct PeripheralEvent: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case connected, disconnected, read, write, command, subscribed, unsubscribed, paired
        /// A reliable write: the peripheral has returned each part before the write took effect.
        case reliableWrite = "write reliable"
    }

    package var time: Timestamp
    package var kind: Kind
    /// The UUID of the characteristic or descriptor; nil for `connected`, `disconnected` and `paired`.
    package var uuid: UUID?
    package var value: [UInt8] = []
    /// The client's unique name on the bus; `bluetoothd` for requests of bluetoothd itself; empty for `connected` and
    /// `disconnected`.
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
