import Contract
import System

// The types of this folder.
//
// | type             | which question it answers                                            | owner          |
// |------------------|----------------------------------------------------------------------|----------------|
// | `FleetMember`    | What does the gateway report? What may it do now?                    | `FleetGateway` |
// | `FleetLease`     | May the gateway act?                                                 | `FleetMember`  |
// | `FleetAbsence`   | Has the gateway been without broker or decider for too long?         | `FleetMember`  |
// | `OwnedDevices`   | Which devices does the gateway own, and by which stamp?              | `FleetMember`  |
// | `PassedDevices`  | Has another gateway published the readings that this one keeps?      | `FleetMember`  |
// | `SignalAverages` | How well does the gateway receive each device?                       | `FleetMember`  |
// | `FleetDrafts`    | What is in the next report and in the next decision?                 | `FleetGateway` |

/// The part of a gateway that reports and obeys the decisions: each gateway of a fleet has it.
struct FleetMember: Sendable {
    private let identity: FleetIdentity
    private let rules: FleetRules
    /// The fingerprint of the configuration of the shared devices.
    private var roster: String
    private var sharedDevices: DeviceNumbers
    /// When the list of shared devices was last longer, and was reported.
    private var listReport: Instant?
    /// Whether the list of shared devices is longer since then.
    private var isListDue = false
    private var isConnected = false
    /// The number of the next report.
    private var nextReport = 0
    /// When the last 200 reports were sent.
    private var sentTimes: [Int: Instant] = [:]
    private var lastReport: Instant?
    /// The number of the last full report for this key on this connection.
    private var wholeReport: Int?
    /// The number of the last decision of this key.
    private var lastDecision: Int?
    private(set) var lease: FleetLease
    /// When the newest report was sent that the last decision acknowledges; nil: it acknowledges none of the last 200.
    private var acknowledgedSending: Instant?
    /// When the last connection to the broker ended.
    private var disconnectedSince: Instant
    /// Since when the gateway has its connection to the broker.
    private var connectedSince: Instant
    /// Rule 13: whether the gateway may publish on this connection, because no other process has its name.
    private var isVisible = false
    private(set) var owned: OwnedDevices
    private var passed = PassedDevices()
    private var averages: SignalAverages
    private(set) var links: Set<String> = []
    /// Since when the gateway has a connection to a device that it does not own.
    private var strayLinks: [String: Instant] = [:]
    private var absence: FleetAbsence
    private var freeSlots = 0
    /// The devices with a bond on this gateway; nil: not known yet.
    private var bonded: Set<String>?
    /// The reported counters of encrypted advertisements, by device and format.
    private var counters: [String: [String: Int]] = [:]

    init(
        _ identity: FleetIdentity, _ rules: FleetRules, devices: DeviceNumbers, roster: String, at now: Instant
    ) {
        self.identity = identity
        self.rules = rules
        self.roster = roster
        lease = FleetLease(rules)
        owned = OwnedDevices(rules)
        sharedDevices = devices
        averages = SignalAverages(devices)
        absence = FleetAbsence(since: now)
        connectedSince = now
        disconnectedSince = now
    }

    /// Rule 7: whether no other gateway can own a device of this one yet, although this one must not act.
    func isUndisputed(at now: Instant) -> Bool {
        lease.isUndisputed(at: now) && (isConnected || now - disconnectedSince < FleetConstants.undisputedAway)
    }

    /// Rule 4: whether the gateway may publish and execute requests now.
    func isInTouch(at now: Instant) -> Bool {
        isConnected && lease.isHeld(at: now)
    }

    // MARK: The connection and the decider

    mutating func connected(at now: Instant, _ actions: inout [FleetAction]) {
        isConnected = true
        connectedSince = now
        lease.end()
        wholeReport = nil
        checkName(at: now, &actions)
    }

    mutating func disconnected(at now: Instant) {
        if isConnected { disconnectedSince = now }
        isConnected = false
        isVisible = false
    }

    /// Begins to follow another key: the gateway asks again.
    mutating func follow(_ drafts: inout FleetDrafts) {
        lease.end()
        wholeReport = nil
        lastDecision = nil
        if rules.contains(.report) { drafts.reportWhole() }
    }

    /// Returns when a report was sent; nil: it is not one of the last 200.
    func sendingTime(of report: Int) -> Instant? { sentTimes[report] }

    // MARK: Reports

    /// Uses another list of shared devices: drops the others, and reports that.
    mutating func use(
        _ devices: DeviceNumbers, roster: String, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        self.roster = roster
        averages.use(devices)
        let before = sharedDevices
        sharedDevices = devices
        counters = counters.filter { sharedDevices.contains($0.key) }
        for device in owned.names where !sharedDevices.contains(device) { leave(device, &drafts, &actions) }
        guard before.names.allSatisfy(sharedDevices.contains) else {
            // The decider must not assign a removed device to this gateway.
            isListDue = false
            return drafts.reportWhole()
        }
        isListDue = true
        reportList(at: now, &drafts)
    }

    /// Reports a longer list of shared devices, if the last one is long enough ago.
    private mutating func reportList(at now: Instant, _ drafts: inout FleetDrafts) {
        let (pause, longest) = FleetConstants.longerList
        if let listReport, now - listReport < min(pause * sharedDevices.count, longest) { return }
        listReport = now
        isListDue = false
        drafts.reportWhole()
    }

    /// Rule 1: when the next report is due at the latest.
    func reportTime(at now: Instant) -> Instant {
        lastReport.map { $0 + FleetConstants.report } ?? now
    }

    /// Completes a report that is about to be sent.
    mutating func complete(
        _ report: inout FleetReport, isWhole: Bool, followed: FleetKey?, remembered: [String: FleetStamp],
        held: [String], at now: Instant
    ) {
        report.number = nextReport
        report.followed = followed
        report.freeSlots = freeSlots
        if isWhole {
            wholeReport = nextReport
            report.whole = FleetReport.Whole(
                rank: identity.rank, roster: roster, owned: owned.stamps,
                remembered: remembered.merging(owned.removedStamps) { max($0, $1) }.filter {
                    owned.stamp(of: $0.key) == nil
                }, bonded: bonded?.sorted(), held: held)
            report.signals = averages.takeAll()
            report.counters = counters.filter { owned.stamp(of: $0.key) != nil }
            report.wanted = passed.wanted.sorted()
            report.links = Dictionary(uniqueKeysWithValues: links.map { ($0, true) })
        }
        sentTimes[nextReport] = now
        sentTimes[nextReport - 200] = nil
        nextReport += 1
        lastReport = now
    }

    // MARK: Decisions

    /// Whether decisions of the same key before this one have not arrived.
    func hasGap(before decision: FleetDecision) -> Bool {
        lastDecision.map { decision.number != $0 + 1 } ?? false
    }

    /// Applies rules 3, 4 and 13 to the acknowledgement of the gateway in a decision.
    ///
    /// - Returns: Whether the decision acknowledges a report of the last 2.5 s.
    mutating func acknowledge(
        _ decision: FleetDecision, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) -> Bool {
        lastDecision = decision.number
        acknowledgedSending = nil
        guard let acknowledgement = decision.acknowledgements[identity.gateway] else { return false }
        guard acknowledgement.start == identity.start else {
            shadow(isAcknowledged: true, at: now, &actions)
            return false
        }
        acknowledgedSending = sentTimes[acknowledgement.number]
        let isWhole = acknowledgement.whole.map { whole in wholeReport.map { whole >= $0 } ?? false } ?? false
        let isFresh = lease.acknowledge(sent: acknowledgedSending, isWhole: isWhole, at: now)
        if lease.isConfirmed { owned.confirmed() }
        return isFresh
    }

    /// Detects another process with the name of the gateway in its report, before any decision has confirmed this one.
    mutating func otherProcess(
        _ start: String, lastDecision: Instant?, at now: Instant, _ actions: inout [FleetAction]
    ) {
        guard !lease.wasConfirmed else { return }
        let isLed = lastDecision.map { now - $0 < FleetConstants.absence } ?? false
        if start < identity.start || isLed { shadow(isAcknowledged: false, at: now, &actions) }
    }

    /// Rule 13: does nothing for 4 s, and reports once that another process has the name of the gateway.
    private mutating func shadow(isAcknowledged: Bool, at now: Instant, _ actions: inout [FleetAction]) {
        if !lease.isShadow(at: now) { actions.append(.notify(.nameTaken)) }
        lease.shadow(isAcknowledged: isAcknowledged, at: now)
    }

    /// Rule 5: handles the owner of a device in a decision.
    mutating func assign(
        _ device: String, _ assignment: FleetDecision.Assignment, isFresh: Bool, at now: Instant,
        _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        guard assignment.gateway == identity.gateway else {
            let isLost = owned.stamp(of: device).map { $0 < assignment.stamp } ?? false
            let isAnswer = passed.answer(device)
            if isLost || isAnswer { passed.passed(device, assignment, sent: acknowledgedSending) }
            if isLost { drop(device, &drafts, &actions) }
            if isAnswer { actions.append(.ownerFound(device: device)) }
            return
        }
        guard sharedDevices.contains(device) else {
            drafts.report { $0.dropped[device] = assignment.stamp }
            return
        }
        let before = obstacle(to: device)
        switch owned.assign(device, assignment, isFresh: isFresh, at: now) {
        case .accepted:
            drafts.report { $0.accepted[device] = assignment.stamp }
            begin(device, at: now, &actions)
        case .renewed(let stamp):
            drafts.report { $0.accepted[device] = stamp }
            if obstacle(to: device) != before { actions.append(.obstacleChanged(device: device)) }
        case .ignored: return
        }
        if passed.answer(device) { actions.append(.ownerFound(device: device)) }
    }

    // MARK: Readings that waited

    /// Rule 7: returns whether no other gateway has published a reading that arrived under a stamp; nil: not known.
    func isUnpublished(_ device: String, _ stamp: FleetStamp, _ arrival: Instant) -> Bool? {
        passed.isUnpublished(device, stamp, arrival) ?? owned.isUnpublished(device, since: stamp)
    }

    /// Asks the decider for the owner of a device.
    mutating func wantOwner(of device: String, _ drafts: inout FleetDrafts) {
        if passed.want(device) { drafts.report { $0.wanted.append(device) } }
    }

    // MARK: Encrypted advertisements

    /// Reports counters of encrypted advertisements that have changed.
    mutating func setCounters(_ new: [String: [String: Int]], _ drafts: inout FleetDrafts) {
        let changes = new.filter { sharedDevices.contains($0.key) && counters[$0.key] != $0.value }
        guard !changes.isEmpty else { return }
        counters.merge(changes) { $1 }
        drafts.report { $0.counters.merge(changes) { $1 } }
    }

    // MARK: Bonds

    /// Returns why the gateway must not connect to a device that it owns: another gateway has the bond.
    func obstacle(to device: String) -> String? {
        guard bonded?.contains(device) != true else { return nil }
        let gateways = owned.bonds(of: device)
        guard !gateways.contains(identity.gateway) else { return nil }
        return DevicePlace.bondText(gateways, at: identity.gateway)
    }

    /// The owned devices to which the gateway must not connect.
    var blockedDevices: Set<String> { Set(owned.bonded.filter { obstacle(to: $0) != nil }) }

    /// Notes the devices with a bond on this gateway.
    mutating func setBonded(_ devices: Set<String>, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        guard devices != bonded else { return }
        let before = blockedDevices
        bonded = devices
        for device in blockedDevices.symmetricDifference(before).sorted() {
            actions.append(.obstacleChanged(device: device))
        }
        drafts.reportWhole()
    }

    /// Rule 6: drops a device when the decider demands it and no request runs.
    mutating func release(
        _ device: String, _ assignment: FleetDecision.Assignment, isBusy: Bool, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        guard assignment.gateway == identity.gateway else { return }
        guard let stamp = owned.stamp(of: device) else {
            drafts.report { $0.dropped[device] = assignment.stamp }
            return
        }
        guard stamp <= assignment.stamp else { return }
        owned.leave(device)
        if !isBusy { leave(device, &drafts, &actions) }
    }

    /// Ends the connection to a device, then drops the device.
    private mutating func leave(_ device: String, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        disconnect(device, &drafts, &actions)
        drop(device, &drafts, &actions)
    }

    private mutating func drop(_ device: String, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        guard let stamp = owned.drop(device) else { return }
        drafts.report {
            $0.accepted[device] = nil
            $0.dropped[device] = stamp
        }
        actions.append(.end(device: device))
    }

    private mutating func begin(_ device: String, at now: Instant, _ actions: inout [FleetAction]) {
        guard !owned.isActing(device), isInTouch(at: now) else { return }
        owned.begin(device)
        actions.append(.begin(device: device))
    }

    // MARK: The watch, every 250 ms

    /// Begins and ends what the lease and the assignments allow and demand.
    ///
    /// `busyDevices` are the devices with a request that runs. `isAlone` is true if the decider received no other gateway.
    mutating func watch(
        at now: Instant, busyDevices: Set<String>, isAlone: Bool, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        if isListDue { reportList(at: now, &drafts) }
        let canAct = isInTouch(at: now)
        if canAct {
            for device in owned.waiting { begin(device, at: now, &actions) }
            for device in owned.leaving where owned.isActing(device) && !busyDevices.contains(device) {
                leave(device, &drafts, &actions)
            }
        } else if lease.isShadow(at: now), !lease.isConfirmed, !owned.names.isEmpty {
            dropAll(&drafts, &actions)
            drafts.reportWhole()
        }
        checkLinks(canAct: canAct, at: now, &drafts, &actions)
        checkAbsence(canAct: canAct, isAlone: isAlone, at: now, &drafts, &actions)
        checkName(at: now, &actions)
    }

    /// Rule 13: lets the gateway publish when it is clear that no other process has its name.
    private mutating func checkName(at now: Instant, _ actions: inout [FleetAction]) {
        // A decider that runs publishes a decision each 500 ms, which shows another process of this name.
        let isNameKnown =
            lease.wasConfirmed || lastDecision != nil || now - connectedSince >= FleetConstants.absence
        let mayPublish = isConnected && isNameKnown && !lease.isShadow(at: now)
        guard mayPublish != isVisible else { return }
        isVisible = mayPublish
        actions.append(mayPublish ? .appear : .vanish)
    }

    /// Removes all devices without a report for each.
    mutating func dropAll(_ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        for device in owned.names {
            owned.remove(device)
            actions.append(.end(device: device))
        }
        // The same report must not name a device that the gateway got in this turn.
        drafts.report { $0.accepted = [:] }
    }

    // MARK: Connections to devices

    /// Rule 8: disconnects from devices that the gateway has not owned for 6 s.
    private mutating func checkLinks(
        canAct: Bool, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        for device in links.sorted() {
            if !canAct || owned.stamp(of: device) != nil {
                strayLinks[device] = nil
            } else if now - strayLinks[device, default: now] > FleetConstants.strayLink, rules.contains(.links) {
                disconnect(device, &drafts, &actions)
            } else if strayLinks[device] == nil {
                strayLinks[device] = now
            }
        }
    }

    /// Rule 8: disconnects from all devices when the gateway has been without its broker or its decider for 30 s, and connects
    /// again after 15 s, or when it may act again.
    ///
    /// In a cluster that has split, the other side has the decider, and assigns the devices to others. The connections that a
    /// process finds that no decider has confirmed can belong to another process with its name.
    private mutating func checkAbsence(
        canAct: Bool, isAlone: Bool, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        absence.update(!isConnected || !canAct && lease.wasConfirmed, at: now)
        if !isAlone, rules.contains(.links), absence.mustDisconnect(at: now) {
            absence.disconnected(from: links, at: now)
            disconnectAll(&drafts, &actions)
        }
        let devices = canAct || absence.mayReturn(at: now) ? absence.takeDevices() : []
        for device in devices where owned.stamp(of: device) != nil { actions.append(.reconnect(device: device)) }
    }

    private mutating func disconnect(_ device: String, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        guard links.contains(device) else { return }
        actions.append(.disconnect(device: device))
        linked(device, false, &drafts)
    }

    /// Disconnects from all devices.
    mutating func disconnectAll(_ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        for device in links.sorted() { disconnect(device, &drafts, &actions) }
    }

    /// Handles a connection that was made or found, or has ended.
    mutating func linked(_ device: String, _ isLinked: Bool, _ drafts: inout FleetDrafts) {
        strayLinks[device] = nil
        if isLinked {
            links.insert(device)
            averages.connected(device)
        } else if links.remove(device) == nil {
            return
        }
        drafts.report { $0.links[device] = isLinked }
    }

    mutating func connectFailed(_ device: String) {
        averages.connectFailed(device)
    }

    mutating func setFreeSlots(_ count: Int) {
        freeSlots = max(0, count)
    }

    /// Updates the signal strengths, and reports those that have changed.
    mutating func measured(_ levels: [String: Int], _ drafts: inout FleetDrafts) {
        averages.measure(levels, links: links)
        guard isConnected else { return }
        let changes = averages.takeChanges()
        if !changes.isEmpty { drafts.report { $0.signals.merge(changes) { $1 } } }
        // Perhaps the decider did not know the owners when they were asked for.
        if !passed.wanted.isEmpty { drafts.report { $0.wanted = passed.wanted.sorted() } }
    }
}
