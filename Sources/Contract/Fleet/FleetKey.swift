package import JSON

// The types of this folder.
//
// | type               | which question it answers                                                     |
// |--------------------|-------------------------------------------------------------------------------|
// | `FleetKey`         | Which gateway decides, and since which epoch?                                 |
// | `FleetProcess`     | Which process of a gateway is this?                                           |
// | `FleetStamp`       | Which of two assignments of a device is the newer one?                        |
// | `FleetReport`      | What does a gateway receive, own and do? Payload of `fleet/report`.           |
// | `FleetDecision`    | Which gateway owns which device? Payload of `fleet/decision`.                 |
// | `FleetRequest`     | Which request of a client is known to all gateways?                           |
// | `RequestContent`   | Which topic, payload and properties does such a request have?                 |
// | `FleetClaim`       | Which process executes a request?                                             |
// | `FleetOrder`       | Which gateway gets a request from the decider?                                |
// | `FleetDoubt`       | Which requests may another process have executed?                             |
// | `FleetRevision`    | Which of two changes of a device at run time is the newer one?                |
// | `FleetChanges`     | Which changes has a gateway? Payload of `fleet/changes`.                      |
// | `FleetPortions`    | Which devices does each of several payloads have, if one has no room for all? |
// | `FleetReportParts` | Have all payloads of a large report arrived?                                  |

/// The right to decide which gateway owns which device: one key for each epoch of each gateway.
///
/// Gateways follow the greatest key that they receive: the greater epoch, then the smaller rank, then the name that sorts
/// first. In JSON: `[7,100,"attic","51aa"]`.
package struct FleetKey: Hashable, Comparable, Sendable {
    /// Incremented each time another gateway begins to decide.
    package let epoch: Int
    /// The value of `share.rank`: the smaller one is preferred.
    package let rank: Int
    package let gateway: String
    /// The random name of the process.
    package let start: String

    package init(epoch: Int, rank: Int, gateway: String, start: String) {
        self.epoch = epoch
        self.rank = rank
        self.gateway = gateway
        self.start = start
    }

    /// The process that decides with this key.
    package var process: FleetProcess { FleetProcess(gateway: gateway, start: start) }

    package static func < (left: FleetKey, right: FleetKey) -> Bool {
        if left.epoch != right.epoch { return left.epoch < right.epoch }
        if left.rank != right.rank { return left.rank > right.rank }
        if left.gateway != right.gateway { return left.gateway > right.gateway }
        return left.start > right.start
    }

    package var json: JSON { .array(elements) }

    /// - Returns: nil if the value is not a key.
    package init?(_ json: JSON) {
        guard let elements = json.array, elements.count == 4 else { return nil }
        self.init(elements)
    }

    var elements: [JSON] { [.number(epoch), .number(rank), .string(gateway), .string(start)] }

    init?(_ elements: [JSON]) {
        guard let epoch = elements[0].fleetNumber, let rank = elements[1].fleetNumber,
            let gateway = elements[2].fleetName,
            let start = elements[3].fleetName
        else { return nil }
        self.init(epoch: epoch, rank: rank, gateway: gateway, start: start)
    }
}
