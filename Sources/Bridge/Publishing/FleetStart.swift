import Contract
import Synchronization

/// One start of a gateway that shares devices, as other gateways know it: a random name, and the number of the connection.
final class FleetStart: Sendable {
    /// The random name.
    let name: String
    private let connections = Atomic<Int>(0)

    init() {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        name = String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The present connection, or the attempt to make one.
    var connection: FleetConnection {
        FleetConnection(start: name, number: connections.load(ordering: .relaxed))
    }

    /// Counts an attempt to connect.
    func nextConnection() {
        connections.wrappingAdd(1, ordering: .relaxed)
    }
}
