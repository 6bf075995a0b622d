import JSON

/// The devices that a change of the fleet has added, changed and removed, by their names.
struct FleetDifference: Sendable {
    var added: [String] = []
    var changed: [String] = []
    var removed: [String] = []

    var json: JSON {
        let lists = [("added", added), ("changed", changed), ("removed", removed)]
        return .object(JSON.Object(lists.map { ($0, .array($1.map { .string($0) })) }))
    }
}
