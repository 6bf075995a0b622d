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
    /// The number of advertisements since the start of the gateway; nil in the topic `adapters`, which only has changes of
    /// the connections.
    package var advertisements: Int?

    package init(
        name: String, address: Address, connections: Int, waiting: Int, capacity: Int?, advertisements: Int? = nil
    ) {
        self.name = name
        self.address = address
        self.connections = connections
        self.waiting = waiting
        self.capacity = capacity
        self.advertisements = advertisements
    }

    package var json: JSON {
        var members: JSON.Object = [
            "name": .string(name), "address": .text(address), "connections": .number(connections),
            "waiting": .number(waiting), "capacity": capacity.map { .number($0) } ?? .null,
        ]
        members.add("advertisements", advertisements)
        return .object(members)
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.string, let address = json.address("address"),
            let connections = json["connections"]?.int, let waiting = json["waiting"]?.int
        else { return nil }
        self.init(
            name: name, address: address, connections: connections, waiting: waiting, capacity: json["capacity"]?.int,
            advertisements: json["advertisements"]?.int)
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
