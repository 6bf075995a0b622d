import Contract
package import JSON

/// The devices that a change of the fleet has added, changed and removed, by their names.
package struct FleetDifference: Sendable {
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []

    package init() {}

    package var json: JSON {
        ResponseData.reloaded(added: added, changed: changed, removed: removed).json
    }
}
