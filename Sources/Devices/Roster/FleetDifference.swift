package import JSON

/// The devices that a change of the fleet has added, changed and removed, by their names.
package struct FleetDifference: Sendable {
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []

    package init() {}

    package var json: JSON {
        let lists = [("added", added), ("changed", changed), ("removed", removed)]
        return .object(JSON.Object(lists.map { ($0, .array($1.map { .string($0) })) }))
    }
}
