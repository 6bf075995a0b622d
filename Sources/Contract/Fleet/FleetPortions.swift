import JSON

/// Distributes what grows with the number of devices among several payloads, each with up to `FleetLimits.portion` bytes of it.
struct FleetPortions<Payload> {
    /// The payloads, in their order.
    private(set) var all: [Payload]
    /// A payload without devices.
    private let empty: Payload
    private var room = FleetLimits.portion

    /// - Parameters:
    ///   - first: the first payload, with everything else.
    ///   - empty: the begin of each further payload.
    init(first: Payload, empty: Payload) {
        all = [first]
        self.empty = empty
    }

    /// Adds a member of an object, or an element of an array, to the last payload; begins another one if it has no room.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - value: The value of the member; nil: an element of an array.
    ///   - change: Adds it to a payload.
    mutating func add(_ name: String, _ value: JSON?, _ change: (inout Payload) -> Void) {
        // A colon, a comma.
        let size = JSON.string(name).description.utf8.count + (value.map { $0.description.utf8.count + 1 } ?? 0) + 1
        if size > room {
            all.append(empty)
            room = FleetLimits.portion
        }
        room -= size
        change(&all[all.count - 1])
    }
}

extension FleetDecision {
    /// The decision as one or several ones, in the order in which gateways obey them.
    ///
    /// Each of them needs its own number and acknowledgements.
    package var portions: [FleetDecision] {
        var first = self
        (first.releases, first.owners, first.isResigning) = ([:], [:], false)
        var portions = FleetPortions(first: first, empty: FleetDecision(key: key, number: number))
        for (device, assignment) in releases.sorted(by: { $0.key < $1.key }) {
            portions.add(device, assignment.json) { $0.releases[device] = assignment }
        }
        for (device, assignment) in owners.sorted(by: { $0.key < $1.key }) {
            portions.add(device, assignment.json) { $0.owners[device] = assignment }
        }
        var all = portions.all
        // A gateway that resigns decides nothing after that.
        all[all.count - 1].isResigning = isResigning
        return all
    }
}

extension FleetChanges.List {
    /// Returns the first part of the list that one payload has room for, after an address; nil: from the begin.
    package func portion(after address: String?) -> FleetChanges.List {
        let rest = revisions.filter { device, _ in address.map { $0 < device } ?? true }.sorted { $0.key < $1.key }
        var portions = FleetPortions(first: [String: FleetRevision](), empty: [:])
        var last: String?
        for (device, revision) in rest {
            portions.add(device, revision.json) { $0[device] = revision }
            guard portions.all.count == 1 else {
                return FleetChanges.List(revisions: portions.all[0], after: address, last: last)
            }
            last = device
        }
        return FleetChanges.List(revisions: portions.all[0], after: address)
    }
}

extension FleetReport {
    /// The report as one or several payloads with the same number; `FleetReportParts` puts them together.
    package var parts: [FleetReport] {
        var first = self
        first.removeDevices()
        var empty = FleetReport(
            start: start, number: number, connection: connection, followed: followed, freeSlots: freeSlots)
        empty.whole = first.whole
        empty.whole?.held = []
        var portions = FleetPortions(first: first, empty: empty)
        for (device, stamp) in (whole?.owned ?? [:]).sorted(by: { $0.key < $1.key }) {
            portions.add(device, stamp.json) { $0.whole?.owned[device] = stamp }
        }
        for (device, stamp) in whole?.remembered ?? [:] {
            portions.add(device, stamp.json) { $0.whole?.remembered[device] = stamp }
        }
        for device in whole?.bonded ?? [] { portions.add(device, nil) { $0.whole?.bonded?.append(device) } }
        for (device, signal) in signals.sorted(by: { $0.key < $1.key }) {
            portions.add(device, signal.json) { $0.signals[device] = signal }
        }
        for (device, isLinked) in links { portions.add(device, .bool(isLinked)) { $0.links[device] = isLinked } }
        for (device, stamp) in accepted { portions.add(device, stamp.json) { $0.accepted[device] = stamp } }
        for (device, stamp) in dropped { portions.add(device, stamp.json) { $0.dropped[device] = stamp } }
        for (device, values) in counters {
            portions.add(device, JSON.fleetObject(values) { .number($0) }) { $0.counters[device] = values }
        }
        for device in wanted { portions.add(device, nil) { $0.wanted.append(device) } }
        var all = portions.all
        if all.count > 1 {
            for index in all.indices { all[index].part = Part(number: index + 1, count: all.count) }
        }
        return all
    }

    private mutating func removeDevices() {
        whole?.owned = [:]
        whole?.remembered = [:]
        if whole?.bonded != nil { whole?.bonded = [] }
        (signals, links, accepted, dropped, counters, wanted) = ([:], [:], [:], [:], [:], [])
    }
}
