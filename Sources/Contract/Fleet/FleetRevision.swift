package import JSON

/// The revision of a device: of two changes of a device at run time, the one with the greater revision counts.
///
/// In JSON: its number and the gateway that has received the request, `[12,"attic"]`.
package struct FleetRevision: Hashable, Comparable, Sendable {
    /// Greater than the numbers of all revisions that the gateway has received.
    package let number: Int
    package let gateway: String

    package init(number: Int, gateway: String) {
        self.number = number
        self.gateway = gateway
    }

    package static func < (left: FleetRevision, right: FleetRevision) -> Bool {
        (left.number, left.gateway) < (right.number, right.gateway)
    }

    package var json: JSON { [.number(number), .string(gateway)] }

    /// - Returns: nil if the value is not a revision.
    package init?(_ json: JSON) {
        guard let array = json.array, array.count == 2, let number = array[0].fleetNumber,
            let gateway = array[1].fleetName
        else { return nil }
        self.init(number: number, gateway: gateway)
    }
}
