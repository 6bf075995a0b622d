package import Bluetooth
package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/info`.
package struct GatewayInfo: Equatable, Sendable {
    package struct Adapter: Equatable, Sendable {
        package let name: String
        package let address: Address
        package let isPowered: Bool
        /// The reason why the adapter is off, in words; nil if it is on, or if the reason is not known.
        package let reason: String?

        package init(name: String, address: Address, isPowered: Bool, reason: String? = nil) {
            self.name = name
            self.address = address
            self.isPowered = isPowered
            self.reason = reason
        }
    }

    package let version: String
    /// The version of bluetoothd, such as `5.82`; nil: no adapter reports it.
    package let bluez: String?
    /// The start of the gateway.
    package let started: Timestamp
    package let bluetooth: BluetoothState
    /// The explanation of `bluetooth` in words.
    package let reason: String
    package let adapters: [Adapter]
    /// The number of devices.
    package let deviceCount: Int
    /// The URL of the broker's node to which the gateway is connected; nil: an earlier version published none.
    package let broker: String?

    package init(
        version: String, bluez: String? = nil, started: Timestamp, bluetooth: BluetoothState, reason: String,
        adapters: [Adapter], deviceCount: Int, broker: String? = nil
    ) {
        self.version = version
        self.bluez = bluez
        self.started = started
        self.bluetooth = bluetooth
        self.reason = reason
        self.adapters = adapters
        self.deviceCount = deviceCount
        self.broker = broker
    }

    package var json: JSON {
        var members: JSON.Object = [
            "version": .string(version), "started": .text(started), "bluetooth": .string(bluetooth.rawValue),
            "reason": .string(reason), "adapters": .array(adapters.map(\.json)), "devices": .number(deviceCount),
        ]
        if let broker { members["broker"] = .string(broker) }
        members.add("bluez", bluez)
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let version = json["version"]?.string, let started = json.time("started"),
            let bluetooth = json["bluetooth"]?.string.flatMap({ BluetoothState(rawValue: $0) }),
            let reason = json["reason"]?.string, let adapters = json.list("adapters", { Adapter($0) }),
            let deviceCount = json["devices"]?.int
        else { return nil }
        self.init(
            version: version, bluez: json["bluez"]?.string, started: started, bluetooth: bluetooth, reason: reason,
            adapters: adapters, deviceCount: deviceCount, broker: json["broker"]?.string)
    }
}

extension GatewayInfo.Adapter {
    fileprivate var json: JSON {
        var members: JSON.Object = ["name": .string(name), "address": .text(address), "powered": .bool(isPowered)]
        members.add("reason", reason)
        return .object(members)
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json["name"]?.string, let address = json.address("address"),
            let isPowered = json["powered"]?.bool
        else { return nil }
        self.init(name: name, address: address, isPowered: isPowered, reason: json["reason"]?.string)
    }
}
