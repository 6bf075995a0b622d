import Contract
import System

/// The devices and their owners, as the decider wants them to be.
///
/// | state of a device | meaning                                                                       |
/// |-------------------|-------------------------------------------------------------------------------|
/// | `unowned`         | There is no line, or the owner in the line has failed.                           |
/// | `owned`           | The line has an owner.                                                           |
/// | `moving`          | The line has an owner, which must drop the device, and a destination.            |
struct OwnershipTable: Sendable {
    struct Line: Sendable {
        let owner: String
        var stamp: FleetStamp
        /// The greatest earlier stamp under which a gateway may have published the device; nil: not known.
        var after: FleetStamp?
        /// Whether the owner may have received the device since the assignment.
        var isHeard = true
        /// A time before the owner began to act, if an earlier decider has assigned the device; nil: `assigned`.
        var began: Instant?
        /// The next owner; nil: the device does not move.
        var destination: String?
        let assigned: Instant
        /// Since when another gateway has been much better; nil: none is.
        var fastSince: Instant?
        /// The gateways with a bond that the last published assignment named.
        var bonded: [String] = []
        /// The owner before this one, since the assignment.
        let previousOwner: String?
        /// When the assignment or the release was last published; nil: it must be published now.
        var published: Instant?
    }

    private let rules: FleetRules
    private let key: FleetKey
    private var placement: Placement
    private(set) var lines: DeviceValues<Line>
    /// Devices whose owner has not reported the line yet.
    private var unconfirmed: Set<String> = []
    /// The greatest stamps of devices that had no line in this term yet, or whose line was removed.
    private var former: DeviceValues<FleetStamp>
    /// The greatest stamps that gateways have reported of devices without a line.
    private var learned: [String: FleetStamp] = [:]
    /// The assignments of earlier deciders.
    private let assignments: DeviceValues<KnownAssignment>
    private var lastNumber = 0

    /// Creates the table of a term; `former` has the greatest stamps of all decisions before it.
    init(
        _ rules: FleetRules, key: FleetKey, _ placement: Placement, former: DeviceValues<FleetStamp>,
        _ assignments: DeviceValues<KnownAssignment>
    ) {
        lines = DeviceValues(placement.devices)
        self.rules = rules
        self.key = key
        self.placement = placement
        self.former = former
        self.assignments = assignments
    }

    mutating func use(_ placement: Placement) {
        self.placement = placement
        lines.use(placement.devices)
        former.use(placement.devices)
    }

    func isUnconfirmed(_ device: String) -> Bool { unconfirmed.contains(device) }

    /// Rule 17: whether a gateway owns only what the table says, with the same stamps.
    func agrees(with gateway: KnownGateway, _ name: String) -> Bool {
        gateway.owned.allSatisfy { device, stamp in
            lines[device].map { $0.owner == name && $0.stamp == stamp } ?? false
        }
    }

    /// The devices of a gateway in the order of their names.
    func devices(of gateway: String) -> [String] {
        lines.filter { $0.value.owner == gateway }.map(\.device).sorted()
    }

    /// The devices whose owner has failed.
    func orphans(_ known: KnownGateways) -> [String] {
        lines.filter { known[$0.value.owner]?.isAlive != true }.map(\.device)
    }

    private mutating func nextStamp() -> FleetStamp {
        lastNumber += 1
        return FleetStamp(key: key, number: lastNumber)
    }

    // MARK: Assignments

    /// Assigns devices to one gateway, or each to the best one, and publishes that.
    mutating func assign(
        _ devices: [String], to destination: String? = nil, _ known: KnownGateways, at now: Instant,
        _ drafts: inout FleetDrafts
    ) {
        let names = known.available
        guard !devices.isEmpty, !names.isEmpty else { return }
        var freeSlots = Dictionary(uniqueKeysWithValues: names.map { ($0, known[$0]?.freeSlots ?? 0) })
        // The order by hash distributes the devices that need a connection.
        for device in devices.sorted(by: { (Placement.hash($0), $0) < (Placement.hash($1), $1) }) {
            let isAvailable = destination.map(names.contains) ?? false
            guard
                let owner = isAvailable
                    ? destination : placement.best(for: device, of: names, known, freeSlots: freeSlots)
            else { continue }
            if placement.needsSlot(device) { freeSlots[owner, default: 0] -= 1 }
            let last = lines[device]
            let line = Line(
                owner: owner, stamp: nextStamp(),
                after: last?.stamp ?? former[device],
                isHeard: known[owner]?.signals[device]?.level != nil, assigned: now, previousOwner: last?.owner,
                published: now)
            lines[device] = line
            unconfirmed.insert(device)
            publish(line, of: device, known, at: now, &drafts)
        }
    }

    private mutating func publish(
        _ line: Line, of device: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard line.destination == nil else {
            let release = FleetDecision.Assignment(gateway: line.owner, stamp: line.stamp)
            return drafts.decide(at: now) { $0.releases[device] = release }
        }
        publishOwner(line, of: device, known, at: now, &drafts)
    }

    private mutating func publishOwner(
        _ line: Line, of device: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        let bonded = known.bonds[device]
        let why = DevicePlace.why(owner: line.owner, known.signals(of: device), bonded: bonded)
        let assignment = FleetDecision.Assignment(
            gateway: line.owner, stamp: line.stamp, why: why, bonded: bonded, counters: known.counters[device] ?? [:],
            past: line.past(at: now))
        lines[device]?.bonded = bonded
        drafts.decide(at: now) { $0.owners[device] = assignment }
    }

    /// Notes that owners receive their devices, according to a report of a gateway.
    mutating func noteSignals(_ signals: [String: FleetReport.Signal], at gateway: String) {
        for (device, signal) in signals where signal != .none && lines[device]?.owner == gateway {
            lines[device]?.isHeard = true
        }
    }

    /// Publishes the owner of a device again, for a gateway that keeps readings of it.
    mutating func answer(
        _ device: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard let line = lines[device], line.destination == nil, known[line.owner]?.isAlive == true else { return }
        publishOwner(line, of: device, known, at: now, &drafts)
    }

    /// Publishes the owner again of each device for which a gateway has reported an older stamp.
    ///
    /// The gateway has missed the newer assignment. It may decide next, when no gateway
    /// that has received the assignment runs.
    mutating func remind(
        _ remembered: [String: FleetStamp], _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        for (device, stamp) in remembered {
            if let line = lines[device], stamp < line.stamp { answer(device, known, at: now, &drafts) }
        }
    }

    /// Publishes the owners of bonded devices again.
    ///
    /// If `areChanged` is true, only those whose bonds have changed since; otherwise all, for a gateway that does not know them.
    mutating func publishBonds(
        areChanged: Bool, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        for (device, line) in lines where line.destination == nil {
            let bonded = known.bonds[device]
            guard areChanged ? bonded != line.bonded : !bonded.isEmpty else { continue }
            publishOwner(line, of: device, known, at: now, &drafts)
        }
    }

    /// Rule 6: demands that the owner drops a device, so that another gateway can own it.
    mutating func move(
        _ device: String, to destination: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard rules.contains(.release) else { return assign([device], to: destination, known, at: now, &drafts) }
        guard var line = lines[device] else { return }
        line.destination = destination
        line.published = now
        lines[device] = line
        unconfirmed.insert(device)
        publish(line, of: device, known, at: now, &drafts)
    }

    /// Handles that a gateway has dropped a device: its next owner gets it.
    mutating func dropped(
        _ device: String, _ stamp: FleetStamp, by gateway: String, _ known: KnownGateways, at now: Instant,
        _ drafts: inout FleetDrafts
    ) {
        guard let line = lines[device], line.owner == gateway, stamp >= line.stamp else { return }
        assign([device], to: line.destination, known, at: now, &drafts)
    }

    /// Remembers since when another gateway has been much better; nil: none is.
    mutating func setFastSince(_ time: Instant?, of device: String) {
        lines[device]?.fastSince = time
    }

    /// Removes devices that no gateway has in its configuration.
    mutating func removeUnknown(_ known: KnownGateways) {
        for (device, line) in lines where known.deviceCounts[device] == nil {
            former[device] = line.stamp
            lines[device] = nil
        }
    }

    // MARK: Adoption

    /// Rule 11: compares a full report with the table: adopts what the gateway owns, and corrects what it should not own.
    ///
    /// `greatest` has the greatest stamps of all decisions; nil: the term has just begun.
    mutating func adopt(
        _ name: String, _ known: KnownGateways, greatest: DeviceValues<FleetStamp>?, at now: Instant,
        _ drafts: inout FleetDrafts
    ) {
        guard let gateway = known[name] else { return }
        for (device, stamp) in gateway.owned {
            guard let line = lines[device] else {
                guard rules.contains(.adoption) else { continue }
                lines[device] = adopted(device, stamp, of: name, at: now)
                if let stamp = learned.removeValue(forKey: device) {
                    learn(stamp, of: device, known, at: now, &drafts)
                }
                if let greatest { refresh(device, greatest) }
                continue
            }
            let isOwnerAlive = known[line.owner]?.isAlive == true
            if line.owner == name {
                guard stamp > line.stamp else {
                    learn(stamp, of: device, known, at: now, &drafts)
                    continue
                }
                lines[device]?.stamp = stamp
                lines[device]?.after = nil
            } else if greatest == nil && stamp > line.stamp || !isOwnerAlive {
                unconfirmed.insert(device)
                lines[device] = adopted(device, stamp, of: name, at: now)
                if let greatest { refresh(device, greatest) }
            } else {
                correct(device, stamp, known, at: now, &drafts)
            }
        }
        for (device, line) in lines where line.owner == name && gateway.owned[device] != line.stamp {
            unconfirmed.insert(device)
            lines[device]?.published = nil
        }
        correctDoubles(name, gateway, known, at: now, &drafts)
    }

    private func adopted(_ device: String, _ stamp: FleetStamp, of gateway: String, at now: Instant) -> Line {
        let known = assignments[device].flatMap { $0.stamp == stamp ? $0 : nil }
        return Line(
            owner: gateway, stamp: stamp, after: known?.after, began: known?.began, assigned: now, previousOwner: nil)
    }

    /// Corrects the gateways that report a device of this report too.
    private mutating func correctDoubles(
        _ name: String, _ gateway: KnownGateway, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        for (otherName, other) in known.gateways where otherName != name && other.wholeReport != nil {
            for (device, stamp) in other.owned {
                guard let own = gateway.owned[device], let owner = lines[device]?.owner else { continue }
                if otherName != owner { correct(device, stamp, known, at: now, &drafts) }
                if name != owner { correct(device, own, known, at: now, &drafts) }
            }
        }
    }

    /// Publishes the owner of a device that another gateway believes to own with a stamp.
    private mutating func correct(
        _ device: String, _ stamp: FleetStamp, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        learn(stamp, of: device, known, at: now, &drafts)
        guard var line = lines[device] else { return }
        if stamp >= line.stamp {
            line.stamp = nextStamp()
            if line.after != nil { line.after = stamp }
            lines[device] = line
            unconfirmed.insert(device)
        }
        publishOwner(line, of: device, known, at: now, &drafts)
    }

    /// Learns that a gateway may have published a device under a stamp between the last known one and the present one.
    ///
    /// All gateways get it: the next decider must know it too.
    mutating func learn(
        _ stamp: FleetStamp, of device: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard let line = lines[device] else {
            former[device] = former[device].map { max($0, stamp) } ?? stamp
            learned[device] = learned[device].map { max($0, stamp) } ?? stamp
            return
        }
        guard let after = line.after, after < stamp, stamp < line.stamp else { return }
        if line.stamp.key == key {
            lines[device]?.after = stamp
        } else {
            // Two deciders did not know each other: the smaller stamp can be the later one.
            renew(device)
        }
        answer(device, known, at: now, &drafts)
    }

    /// Gives a new stamp to each device whose stamp in the table is smaller than its greatest stamp in all decisions.
    ///
    /// Another gateway owned such a device and does not report. Readings that wait under the old stamp must not be published.
    /// No reading waits under a stamp of this term.
    mutating func refreshAll(_ greatest: DeviceValues<FleetStamp>) {
        for device in lines.names { refresh(device, greatest) }
    }

    private mutating func refresh(_ device: String, _ greatest: DeviceValues<FleetStamp>) {
        guard let line = lines[device], let stamp = greatest[device], line.stamp < stamp, line.stamp.key != key
        else { return }
        renew(device)
    }

    /// Gives a device a new stamp with the same owner: what waits under the old one is not published.
    private mutating func renew(_ device: String) {
        let stamp = nextStamp()
        lines[device]?.stamp = stamp
        lines[device]?.after = nil
        unconfirmed.insert(device)
    }

    // MARK: Repetition

    /// Rule 17: publishes again what a gateway does not follow.
    mutating func repeatUnconfirmed(_ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts) {
        guard rules.contains(.repetition) else { return }
        for device in unconfirmed.sorted() { repeatLine(of: device, known, at: now, &drafts) }
        for (name, gateway) in known.gateways where gateway.isAvailable {
            for (device, stamp) in gateway.owned {
                if let line = lines[device], line.owner != name { correct(device, stamp, known, at: now, &drafts) }
            }
        }
    }

    private mutating func repeatLine(
        of device: String, _ known: KnownGateways, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard var line = lines[device], let owner = known[line.owner], owner.isAlive else {
            unconfirmed.remove(device)
            return
        }
        if line.destination == nil && owner.owned[device] == line.stamp {
            unconfirmed.remove(device)
            return
        }
        let isDue = line.published.map { now - $0 > FleetConstants.repetition } ?? true
        guard isDue, owner.wholeReport != nil else { return }
        line.published = now
        lines[device] = line
        if let destination = line.destination, owner.owned[device] == nil {
            assign([device], to: destination, known, at: now, &drafts)
        } else {
            publish(line, of: device, known, at: now, &drafts)
        }
    }
}

extension OwnershipTable.Line {
    /// The past of the assignment, for gateways that keep readings of the device; nil: not known.
    fileprivate func past(at now: Instant) -> FleetDecision.Past? {
        after.map { after in
            let age = (now - (began ?? assigned)).nanoseconds / 1_000_000
            return FleetDecision.Past(after: after, age: Int(max(0, age)), isUnheard: !isHeard)
        }
    }
}
