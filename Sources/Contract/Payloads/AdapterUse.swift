package import Bluetooth
package import JSON
package import System

/// The connections of one adapter, in the payloads of the gateway's topics `adapters` and `health`.
package struct AdapterUse: Equatable, Sendable {
    package let name: String
    package let address: Address
    /// The number of connections that exist or are being made.
    package let connections: Int
    /// The number of devices that wait for a connection.
    package let waiting: Int
    /// The maximum number of connections; nil until it is known.
    package let capacity: Int?
    /// The work of the radio; nil in the topic `adapters`, which only has changes of the connections.
    package var radio: Radio?

    /// The work of the radio of an adapter since the adapter appeared.
    package struct Radio: Equatable, Sendable {
        /// The number of advertisements.
        package let advertisements: Int
        /// How long the adapter has scanned, in seconds; nil: an earlier version of the gateway.
        package let scanningSeconds: Int?
        /// How long the adapter has tried to connect, in seconds; nil: an earlier version of the gateway.
        package let connectingSeconds: Int?

        package init(advertisements: Int, scanning: Duration, connecting: Duration) {
            self.advertisements = advertisements
            scanningSeconds = Int(scanning.components.seconds)
            connectingSeconds = Int(connecting.components.seconds)
        }
    }

    package init(
        name: String, address: Address, connections: Int, waiting: Int, capacity: Int?, radio: Radio? = nil
    ) {
        self.name = name
        self.address = address
        self.connections = connections
        self.waiting = waiting
        self.capacity = capacity
        self.radio = radio
    }

    package var json: JSON {
        var members: JSON.Object = [
            "name": .string(name), "address": .text(address), "connections": .number(connections),
            "waiting": .number(waiting), "capacity": capacity.map { .number($0) } ?? .null,
        ]
        members.add("advertisements", radio?.advertisements)
        members.add("scanning_seconds", radio?.scanningSeconds)
        members.add("connecting_seconds", radio?.connectingSeconds)
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.string, let address = json.address("address"),
            let connections = json["connections"]?.int, let waiting = json["waiting"]?.int
        else { return nil }
        self.init(
            name: name, address: address, connections: connections, waiting: waiting, capacity: json["capacity"]?.int,
            radio: Radio(json))
    }
}

extension AdapterUse.Radio {
    fileprivate init?(_ json: JSON) {
        guard let advertisements = json["advertisements"]?.int else { return nil }
        self.advertisements = advertisements
        scanningSeconds = json["scanning_seconds"]?.int
        connectingSeconds = json["connecting_seconds"]?.int
    }
}

/// The payload of `PREFIX/bridge/GATEWAY/adapters`.
package struct AdapterReport: Equatable, Sendable {
    package let adapters: [AdapterUse]
    package let time: Timestamp

    package init(adapters: [AdapterUse], time: Timestamp) {
        self.adapters = adapters
        self.time = time
    }

    package var json: JSON { ["adapters": .array(adapters.map(\.json)), "time": .text(time)] }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let adapters = json.list("adapters", { AdapterUse($0) }), let time = json.time("time") else { return nil }
        self.init(adapters: adapters, time: time)
    }
}
