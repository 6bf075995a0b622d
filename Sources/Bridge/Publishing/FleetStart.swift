import Contract
import Synchronization

/// One start of a gateway that shares devices, as other gateways know it: a random name, and the number of the connection.
final class FleetStart: Sendable {
    /// The random name.
    let name: String
    private let connections = Atomic<Int>(0)
    private let owner = Atomic<Int>(NameOwner.unknown.rawValue)

    init() {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        name = String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The present connection, or the attempt to make one.
    var connection: FleetConnection {
        FleetConnection(start: name, number: connections.load(ordering: .relaxed))
    }

    /// Which process has the name of the gateway.
    enum NameOwner: Int {
        case unknown, thisProcess, otherProcess
    }

    /// Which process has the name of the gateway: only that one publishes as the gateway.
    var nameOwner: NameOwner { NameOwner(rawValue: owner.load(ordering: .relaxed)) ?? .unknown }

    func setNameOwner(_ new: NameOwner) {
        owner.store(new.rawValue, ordering: .relaxed)
    }

    /// Counts an attempt to connect.
    func nextConnection() {
        connections.wrappingAdd(1, ordering: .relaxed)
    }
}
