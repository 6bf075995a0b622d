package import JSON

/// One connection to the broker of one process of a gateway that shares devices.
///
/// Part of the payload of `PREFIX/bridge/GATEWAY/state`, which is also the last will: other gateways must not take the will
/// of an earlier connection for the end of this one.
package struct FleetConnection: Hashable, Sendable {
    /// The random name of the process.
    package let start: String
    /// The number of the connection in the process.
    package let number: Int

    package init(start: String, number: Int) {
        self.start = start
        self.number = number
    }

    /// - Returns: nil if the payload is that of a gateway that shares no devices.
    package init?(_ json: JSON) {
        guard let start = json["start"]?.fleetName, let number = json["connection"]?.fleetNumber else { return nil }
        self.init(start: start, number: number)
    }
}
