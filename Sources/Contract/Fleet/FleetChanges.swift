package import JSON

/// The payload of `PREFIX/bridge/GATEWAY/fleet/changes`: changes of devices at run time, such as those of `device/add`.
///
/// Devices are identified by their addresses. A message has one or several of the members.
package struct FleetChanges: Equatable, Sendable {
    /// All that requests have changed on a device, as of a revision.
    package struct Change: Hashable, Sendable {
        package let revision: FleetRevision
        /// The entry, the name and the options; empty: the device is as in the configuration file, or was removed.
        package let content: JSON.Object

        package init(revision: FleetRevision, content: JSON.Object) {
            self.revision = revision
            self.content = content
        }

        var json: JSON { ["revision": revision.json, "content": .object(content)] }

        init?(_ json: JSON) {
            guard let revision = json["revision"].flatMap({ FleetRevision($0) }), let content = json["content"]?.object
            else { return nil }
            self.init(revision: revision, content: content)
        }
    }

    /// The changes that a gateway has, in short: part of each decision.
    ///
    /// In JSON: `[12,"5ad1"]`.
    package struct Summary: Hashable, Sendable {
        /// The greatest number of a revision.
        package let greatest: Int
        /// Equal for two gateways with the same revisions.
        package let fingerprint: String

        package init(greatest: Int, fingerprint: String) {
            self.greatest = greatest
            self.fingerprint = fingerprint
        }

        var json: JSON { [.number(greatest), .string(fingerprint)] }

        init?(_ json: JSON) {
            guard let array = json.array, array.count == 2, let greatest = array[0].fleetNumber,
                let fingerprint = array[1].fleetName
            else { return nil }
            self.init(greatest: greatest, fingerprint: fingerprint)
        }
    }

    /// The revisions of devices at a gateway: of all changed devices, or of those in a range of addresses.
    package struct List: Hashable, Sendable {
        package let revisions: [String: FleetRevision]
        /// The last address before the range; nil: the range has no begin.
        package let after: String?
        /// The last address of the range; nil: the range has no end.
        package let last: String?

        package init(revisions: [String: FleetRevision], after: String? = nil, last: String? = nil) {
            self.revisions = revisions
            self.after = after
            self.last = last
        }

        /// Returns whether the list would have a device if the gateway had changed it.
        package func covers(_ address: String) -> Bool {
            (after.map { $0 < address } ?? true) && (last.map { address <= $0 } ?? true)
        }
    }

    package var changes: [String: Change]
    /// The revisions of devices at this gateway; nil: not part of this message.
    package var known: List?
    /// The devices whose changes this gateway lacks, by the gateway that has them.
    package var wanted: [String: [String]]

    package init(
        changes: [String: Change] = [:], known: List? = nil, wanted: [String: [String]] = [:]
    ) {
        self.changes = changes
        self.known = known
        self.wanted = wanted
    }

    package var json: JSON {
        var members: JSON.Object = [:]
        members.addFleet("changes", changes, \.json)
        members.add("known", known.map { JSON.fleetObject($0.revisions, \.json) })
        members.add("after", known?.after)
        members.add("last", known?.last)
        members.addFleet("wanted", wanted) { .array($0.map { .string($0) }) }
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind, or exceeds `FleetLimits`.
    package init?(_ json: JSON) {
        guard json.object != nil, let changes = JSON.fleetMap(json["changes"], { Change($0) }),
            let known = JSON.fleetMap(json["known"], { FleetRevision($0) }),
            let wanted = JSON.fleetMap(json["wanted"], limit: FleetLimits.gateways, { JSON.fleetNames($0) }),
            json["after"].map({ $0.fleetName != nil }) ?? true, json["last"].map({ $0.fleetName != nil }) ?? true
        else { return nil }
        let list = List(revisions: known, after: json["after"]?.fleetName, last: json["last"]?.fleetName)
        self.init(changes: changes, known: json["known"] == nil ? nil : list, wanted: wanted)
    }
}
