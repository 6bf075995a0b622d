package import JSON

/// The number of an assignment of a device: no decider uses a stamp twice, and of two stamps the greater one is newer.
///
/// In JSON: the key of the decider and a number, `[7,100,"attic","51aa",31]`.
package struct FleetStamp: Hashable, Comparable, Sendable {
    package let key: FleetKey
    package let number: Int

    package init(key: FleetKey, number: Int) {
        self.key = key
        self.number = number
    }

    package static func < (left: FleetStamp, right: FleetStamp) -> Bool {
        left.key == right.key ? left.number < right.number : left.key < right.key
    }

    package var json: JSON { .array(key.elements + [.number(number)]) }

    /// - Returns: nil if the value is not a stamp.
    package init?(_ json: JSON) {
        guard let elements = json.array, elements.count == 5, let key = FleetKey(elements),
            let number = elements[4].fleetNumber
        else { return nil }
        self.init(key: key, number: number)
    }
}
