import Contract
import System

// The types of this folder.
//
// | type             | which question it answers                                              | owner            |
// |------------------|------------------------------------------------------------------------|------------------|
// | `FleetDecider`   | Does this gateway decide? What does it decide?                         | `FleetGateway`   |
// | `Succession`     | Which gateway decides next, and when?                                  | `FleetDecider`   |
// | `KnownGateways`  | What have the other gateways reported? Which of them have failed?      | `FleetDecider`   |
// | `KnownGateway`   | What do the reports of one gateway contain?                            | `KnownGateways`  |
// | `KnownBonds`     | Which gateways have a bond with which device?                          | `KnownGateways`  |
// | `OwnershipTable` | Which gateway should own each device?                                  | `FleetDecider`   |
// | `KnownAssignment` | Since when has a device its owner, which an earlier decider has assigned? | `FleetDecider`   |
// | `Recollection`   | Which assignments does the next decider need from this gateway?        | `FleetDecider`   |
// | `Placement`      | Which gateway is the best place for a device?                          | `OwnershipTable` |
// | `DeviceMoves`    | Which devices have a better place?                                     | `FleetDecider`   |
// | `ListDifferences` | Which gateways have another list of devices?                          | `FleetDecider`   |

/// The part of a gateway that reads the reports of the others, and decides which gateway owns which device.
///
/// Each gateway has it; one decides at any time.
///
/// | state        | meaning                                                                |
/// |--------------|------------------------------------------------------------------------|
/// | `none`       | Another gateway decides: there is no term.                               |
/// | `collecting` | The term has begun; the decider waits for full reports.                  |
/// | `deciding`   | The decider confirms gateways and assigns devices.                       |
struct FleetDecider: Sendable {
    /// The time in which this gateway decides with one key.
    private struct Term {
        let key: FleetKey
        let began: Instant
        var table: OwnershipTable
        /// The gateways whose full reports the decider waits for.
        var expected: Set<String>
        /// When all full reports were demanded again, because an expected one has not arrived; nil: they were not.
        var demandedAgain: Instant?
        /// Whether another gateway decided before: the gateways have measured their signal strengths.
        let isTakeover: Bool
        /// Whether gateways may act on acknowledgements of an earlier decider that this one has not received.
        let isFenced: Bool
        /// Whether all of them have reported, or the time for that is over.
        var hasCollected: Bool
        var nextNumber = 0
        var lastDecision: Instant
        /// When devices without an owner were first reported, since all others have owners; nil: the first assignment is due.
        var arrivals: [String: Instant]?
    }

    private let identity: FleetIdentity
    private let rules: FleetRules
    private var placement: Placement
    /// Rule 2: the greatest key that this gateway has received; nil: none.
    private(set) var followed: FleetKey?
    private var epoch: Int
    private var known: KnownGateways
    private var succession: Succession
    private var term: Term?
    private var differences = ListDifferences()
    /// The greatest stamp of each device in all decisions.
    private var greatestStamps: DeviceValues<FleetStamp>
    /// The past of each assignment whose stamp is the greatest one.
    private var assignments: DeviceValues<KnownAssignment>
    private var recollection: Recollection
    private(set) var isListening = false
    /// Since when the gateway reads all reports and receives its own ones.
    private var listeningSince: Instant
    /// When the newest of its own reports that came back from the broker was sent.
    private var echo: Instant?
    private var isConnected = false
    /// When the seat was last demanded.
    private var seatDemanded: Instant?
    /// When the newest demand that was answered was sent.
    private var seatAnswered: Instant?

    init(
        _ identity: FleetIdentity, _ rules: FleetRules, needs: DeviceValues<ConnectionNeed>, memory: FleetMemory,
        at now: Instant
    ) {
        self.identity = identity
        self.rules = rules
        placement = Placement(rules, needs: needs)
        epoch = memory.epoch
        greatestStamps = memory.stamps
        greatestStamps.use(needs.numbers)
        assignments = DeviceValues(needs.numbers)
        recollection = Recollection(needs.numbers)
        known = KnownGateways(identity, rules, needs.numbers, bonds: memory.bonds)
        succession = Succession(identity, at: now)
        listeningSince = now
    }

    var isDeciding: Bool { term != nil }
    /// Whether the decider assigns devices.
    var hasCollected: Bool { term?.hasCollected ?? false }
    var lastDecision: Instant { succession.lastDecision }
    /// The gateways that the last decision acknowledged.
    var members: Set<String> { succession.acknowledged }
    /// The other processes that ran when this gateway last received their reports, or a decision.
    var others: Set<FleetProcess> {
        succession.processes.union(known.processes).filter { $0.gateway != identity.gateway }
    }
    var memory: FleetMemory {
        FleetMemory(epoch: epoch, stamps: greatestStamps, bonds: known.bonds.gateways)
    }
    /// The owners of all devices; empty if this gateway does not decide.
    var owners: [String: String] {
        term?.table.lines.reduce(into: [:]) { $0[$1.device] = $1.value.owner } ?? [:]
    }

    /// The places of all devices; empty if this gateway does not decide.
    func places(at now: Instant) -> [String: DevicePlace] {
        term?.table.lines.reduce(into: [:]) { places, line in
            let (device, line) = line
            let holder = known.gateways.first { $0.value.isAvailable && $0.value.links.contains(device) }?.key
            places[device] = DevicePlace(
                owner: known[line.owner]?.isAlive == true ? line.owner : nil, destination: line.destination,
                signals: known.signals(of: device), holder: holder, bonded: known.bonds[device],
                assigned: now - line.assigned)
        } ?? [:]
    }

    private var needsSeat: Bool { identity.hasSeat && rules.contains(.seat) }

    /// Whether the gateway may decide now: its own reports come back from the broker.
    private func mayDecide(at now: Instant) -> Bool {
        isConnected && term != nil && hasEcho(within: FleetConstants.lease, at: now)
    }

    /// Whether the broker has returned a report that the gateway has sent within a time.
    private func hasEcho(within time: Duration, at now: Instant) -> Bool {
        echo.map { now - $0 <= time } ?? false
    }

    // MARK: The connection

    mutating func connected(at now: Instant) {
        isConnected = true
        echo = nil
        // The gateway may have missed assignments, and other gateways may have missed those that it knows.
        recollection.recollect(greatestStamps, present: [])
        succession.wait(at: now)
        if isListening { listenAgain(at: now) }
    }

    mutating func disconnected(_ drafts: inout FleetDrafts) {
        isConnected = false
        recollection.interrupted()
        guard term != nil else { return }
        resign(&drafts)
        succession.lostSeat()
    }

    /// Handles that a report of this process came back.
    mutating func echoed(sent: Instant?) {
        guard let sent else { return }
        echo = max(echo ?? sent, sent)
    }

    private mutating func listen(_ isOn: Bool, at now: Instant, _ actions: inout [FleetAction]) {
        guard isOn != isListening else { return }
        isListening = isOn
        if isOn { listenAgain(at: now) } else { known.stopListening() }
        actions.append(.readReports(isOn))
    }

    private mutating func listenAgain(at now: Instant) {
        listeningSince = now
        known.listenAgain(at: now)
        if term == nil { known.acknowledge(succession.processes, at: now) }
    }

    // MARK: The decider

    /// Rule 2: whether this gateway follows a key that it has received.
    func follows(_ key: FleetKey, at now: Instant) -> Bool {
        guard let followed else { return true }
        guard rules.contains(.follow) else { return succession.hasFailed(at: now) }
        guard key > followed else { return false }
        // A key from far in the future, of a broken gateway, would leave no greater key for others.
        return key.epoch - followed.epoch <= FleetConstants.epochs || succession.hasFailed(at: now)
    }

    /// Begins to follow a key.
    mutating func follow(_ key: FleetKey, at now: Instant, _ drafts: inout FleetDrafts) {
        recollection.recollect(greatestStamps, present: succession.present(exceptFor: followed?.gateway))
        followed = key
        epoch = max(epoch, key.epoch)
        if key.start != identity.start { resign(&drafts) }
        succession.followed(at: now)
    }

    private mutating func resign(_ drafts: inout FleetDrafts) {
        guard term != nil else { return }
        term = nil
        drafts.decide(with: nil)
    }

    /// Handles a decision of the followed key.
    mutating func received(_ decision: FleetDecision, at now: Instant, _ actions: inout [FleetAction]) {
        succession.received(decision, at: now)
        if term == nil { known.buryAbsent(succession.acknowledged, at: now) }
        if term == nil { listen(succession.isSuccessor(identity.gateway), at: now, &actions) }
        if term == nil, isListening { known.acknowledge(succession.processes, at: now) }
        for (device, assignment) in decision.owners where remember(assignment.stamp, of: device) {
            recollection.assigned(device, to: assignment.gateway)
            if term == nil { known.noteBonds(assignment.bonded, of: device) }
        }
    }

    /// Notes the past of the assignments in a decision that has just been sent.
    mutating func note(_ owners: [String: FleetDecision.Assignment], at now: Instant) {
        for (device, assignment) in owners
        where assignment.stamp == greatestStamps[device] {
            guard let known = assignments[device] else {
                assignments[device] = KnownAssignment(assignment, at: now)
                continue
            }
            if let after = assignment.past?.after { assignments[device] = known.learned(after) }
        }
    }

    /// Remembers the greatest stamp of a device.
    ///
    /// - Returns: False if too many devices are known.
    @discardableResult
    private mutating func remember(_ stamp: FleetStamp, of device: String) -> Bool {
        let known = greatestStamps[device]
        guard known != nil || greatestStamps.count < FleetLimits.devices else { return false }
        if known.map({ $0 < stamp }) ?? true {
            greatestStamps[device] = stamp
            assignments[device] = nil
        }
        return true
    }

    /// Handles that the followed decider has confirmed this gateway.
    mutating func confirmed() {
        recollection.confirmed()
    }

    /// Handles that the followed decider has not confirmed this gateway: gateways may have failed since the key is followed.
    ///
    /// - Returns: Whether the next full report has more stamps than the last one.
    mutating func awaitConfirmation() -> Bool {
        recollection.recollect(greatestStamps, reporting: succession.acknowledged)
    }

    /// The stamps for the next full report.
    var remembered: [String: FleetStamp] { recollection.stamps }

    /// Publishes an empty decision: another gateway decides with a smaller key.
    func contradict(at now: Instant, _ drafts: inout FleetDrafts) {
        drafts.decide(at: now) { _ in }
    }

    mutating func receivedWill(of name: String, start: String, connection: Int, at now: Instant) {
        if followed?.start == start, term == nil, connection >= known[name]?.connection ?? 0 {
            succession.deciderLeft(connection: connection, at: now)
        }
        succession.left(name)
        known.receiveWill(of: name, start: start, connection: connection, at: now)
    }

    /// Uses another list of shared devices.
    mutating func use(_ needs: DeviceValues<ConnectionNeed>) {
        placement = Placement(rules, needs: needs)
        greatestStamps.use(needs.numbers)
        assignments.use(needs.numbers)
        recollection.use(needs.numbers)
        known.use(needs.numbers)
        term?.table.use(placement)
    }

    // MARK: Reports

    /// Learns the stamps in a report: also of a process that has the name of another, and may publish nothing.
    mutating func learn(_ report: FleetReport, at now: Instant, _ drafts: inout FleetDrafts) {
        // The decision with this assignment can be lost.
        for (device, stamp) in report.accepted { remember(stamp, of: device) }
        guard let whole = report.whole else { return }
        for (device, stamp) in whole.owned { remember(stamp, of: device) }
        let remembered = whole.remembered
        guard !remembered.isEmpty else { return }
        for (device, stamp) in remembered where remember(stamp, of: device) {
            term?.table.learn(stamp, of: device, known, at: now, &drafts)
        }
        if hasCollected { term?.table.refreshAll(greatestStamps) }
    }

    /// Notes a report of a gateway, which can be this one.
    mutating func receive(
        _ report: FleetReport, of name: String, at now: Instant, _ actions: inout [FleetAction]
    ) -> KnownGateways.Effect {
        let effect = known.receive(report, of: name, followed: followed, at: now)
        if case .received = effect, report.start == followed?.start {
            succession.deciderReported(connection: report.connection)
        }
        if case .received(wasBuried: true) = effect, term != nil { actions.append(.notify(.memberBack(name))) }
        return effect
    }

    /// Decides what follows from a report.
    mutating func react(to report: FleetReport, of name: String, at now: Instant, _ drafts: inout FleetDrafts) {
        guard var term, let gateway = known[name] else { return }
        self.term = nil
        defer { self.term = term }
        // A full report, or the demand for it, can be lost.
        let isLacking = (report.whole == nil) == (report.followed == followed) && gateway.wholeReport == nil
        if !gateway.isComplete || isLacking, known.demand(name, at: now) {
            drafts.decide(at: now) { $0.wanted.append(name) }
        }
        if let whole = report.whole, gateway.wholeReport != nil {
            term.table.adopt(
                name, known, greatest: term.hasCollected ? greatestStamps : nil, at: now, &drafts)
            term.table.remind(whole.remembered, known, at: now, &drafts)
            term.table.publishBonds(areChanged: false, known, at: now, &drafts)
            drafts.decide(at: now) { _ in }
        }
        guard term.hasCollected, hasEcho(within: FleetConstants.lease, at: now) else { return }
        term.table.noteSignals(report.signals, at: name)
        for device in report.wanted { term.table.answer(device, known, at: now, &drafts) }
        for (device, stamp) in report.dropped {
            term.table.dropped(device, stamp, by: name, known, at: now, &drafts)
        }
        if report.isLeaving { term.table.assign(term.table.devices(of: name), known, at: now, &drafts) }
    }

    // MARK: The watch, every 250 ms

    /// Begins a term if it is the turn of this gateway, and governs in a term.
    ///
    /// `isShadow` is true if another process has the name of this gateway.
    ///
    /// - Returns: The new key of this gateway; nil: it begins no term.
    mutating func watch(
        isShadow: Bool, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) -> FleetKey? {
        if term == nil {
            guard isConnected else { return nil }
            guard hasEcho(within: FleetConstants.echo, at: now) else {
                succession.brokerIsSilent(at: now)
                recollection.interrupted()
                return nil
            }
            guard !isShadow else { return nil }
            if succession.isAlarmed(at: now) { listen(true, at: now, &actions) }
            guard isDue(at: now) else { return nil }
            guard needsSeat else { return begin(isFenced: false, at: now, &drafts, &actions) }
            demandSeat(at: now, &actions)
            return nil
        }
        if needsSeat {
            demandSeat(at: now, &actions)
            if seatAnswered.map({ now - $0 > FleetConstants.seat }) ?? true {
                resign(&drafts)
                return nil
            }
        }
        if mayDecide(at: now) { govern(at: now, &drafts, &actions) } else { listeningSince = now }
        return nil
    }

    private func isDue(at now: Instant) -> Bool {
        guard succession.mayBeDue(at: now), rules.contains(.succession) || followed == nil else { return false }
        return succession.isDue(
            succession.candidates(known, followed: followed, at: now), known, at: now)
    }

    /// Rule 20: demands the seat, at each second watch.
    private mutating func demandSeat(at now: Instant, _ actions: inout [FleetAction]) {
        if let seatDemanded, now - seatDemanded < FleetConstants.seatRenewal { return }
        seatDemanded = now
        actions.append(.takeSeat)
    }

    /// Handles that this gateway holds the seat since the time `asked`, when the demand was sent.
    ///
    /// The last decider may have acknowledged reports until its seat expired, on the other side of a split. If it has
    /// given the seat back and its last decision has arrived, this gateway has received all of them. If this process was the
    /// last decider, and has held the seat since, there are no others.
    ///
    /// - Returns: The new key of this gateway; nil: it begins no term.
    mutating func seated(
        asked: Instant, giver: FleetProcess?, isShadow: Bool, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) -> FleetKey? {
        let hasKeptSeat = seatAnswered.map { now - $0 <= FleetConstants.seatPause } ?? false
        seatAnswered = max(seatAnswered ?? asked, asked)
        guard term == nil, now - asked <= FleetConstants.seat, isConnected, !isShadow,
            hasEcho(within: FleetConstants.echo, at: now), isDue(at: now)
        else { return nil }
        let isPassedOn = succession.hasResigned && giver != nil && giver == followed?.process
        let isOwn = hasKeptSeat && followed?.process == FleetProcess(gateway: identity.gateway, start: identity.start)
        return begin(isFenced: !isPassedOn && !isOwn, at: now, &drafts, &actions)
    }

    /// Rule 10: begins a term, and expects a full report of all gateways that run.
    private mutating func begin(
        isFenced: Bool, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) -> FleetKey? {
        guard epoch < FleetLimits.number else { return nil }
        var expected = Set(succession.candidates(known, followed: followed, at: now))
        expected.insert(identity.gateway)
        if let followed, !expected.contains(followed.gateway), succession.hasFailed(at: now),
            known[followed.gateway]?.start == followed.start
        {
            if known[followed.gateway]?.isAlive == true { actions.append(.notify(.memberLost(followed.gateway))) }
            known.bury(followed.gateway)
        }
        // Another process may have the name of a gateway that has failed: its full report is the next one.
        if !needsSeat { buryFailed(since: listeningSince, at: now, &actions) }
        known.forgetWholeReports()
        epoch += 1
        let key = FleetKey(
            epoch: epoch, rank: identity.rank, gateway: identity.gateway, start: identity.start)
        term = Term(
            key: key, began: now,
            table: OwnershipTable(rules, key: key, placement, former: greatestStamps, assignments),
            expected: expected,
            isTakeover: followed != nil, isFenced: isFenced, hasCollected: !rules.contains(.collection),
            lastDecision: now)
        listen(true, at: now, &actions)
        drafts.decide(with: key)
        drafts.decide(at: now) { _ in }
        return key
    }

    private mutating func govern(at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        guard var term else { return }
        self.term = nil
        defer { self.term = term }
        // A fenced term assigns nothing for 3.5 s.
        let judgesSince = needsSeat && !term.isFenced ? max(listeningSince, term.began) : listeningSince
        buryFailed(since: judgesSince, at: now, &actions)
        if !term.hasCollected {
            if isWaiting(for: term) || term.isFenced, isInTime(term, at: now) { return }
            if term.demandedAgain == nil, term.expected.contains(where: { known[$0]?.wholeReport == nil }) {
                return demandAgain(&term, at: now, &drafts)
            }
            term.hasCollected = true
            term.table.refreshAll(greatestStamps)
            drafts.decide(at: now) { _ in }
        }
        term.table.assign(term.table.orphans(known), known, at: now, &drafts)
        // While requests cause decisions all the time, the decision of each 500 ms is never due: nothing may depend on it.
        term.table.repeatUnconfirmed(known, at: now, &drafts)
        let devices = known.deviceCounts
        guard term.table.lines.count < devices.count else { return }
        term.table.assign(measured(devices.names, &term, at: now), known, at: now, &drafts)
    }

    /// Rule 12: buries the gateways that have failed; judges a silence if this gateway has listened long enough.
    private mutating func buryFailed(since time: Instant, at now: Instant, _ actions: inout [FleetAction]) {
        let buried = known.bury(judges: now - time > FleetConstants.silence, at: now)
        for name in buried { actions.append(.notify(.memberLost(name))) }
    }

    /// Rule 10: whether the decider may still wait for full reports.
    private func isInTime(_ term: Term, at now: Instant) -> Bool {
        if let demanded = term.demandedAgain { return isWaiting(for: term) && now - demanded < FleetConstants.absence }
        return now - max(term.began, listeningSince) < FleetConstants.silence
    }

    /// Rule 10: demands the full reports again, because an expected gateway has failed without one.
    ///
    /// The others report the stamps of its devices only now: they believed that it would report them.
    private mutating func demandAgain(_ term: inout Term, at now: Instant, _ drafts: inout FleetDrafts) {
        term.demandedAgain = now
        let alive = known.gateways.filter(\.value.isAlive).keys.sorted()
        term.expected.formIntersection(alive)
        known.forgetWholeReports()
        drafts.decide(at: now) { $0.wanted += alive }
    }

    /// Rule 10: whether a full report is missing: of a gateway that ran before the term, or that has reported since.
    ///
    /// The last decider may have returned just before the term began. It acts until it receives the new key. The same is true
    /// of a process that has the name of a failed gateway.
    private func isWaiting(for term: Term) -> Bool {
        term.expected.contains { name in known[name].map { $0.isAlive && $0.wholeReport == nil } ?? true }
            || known.gateways.values.contains { gateway in
                gateway.isAlive
                    ? gateway.wholeReport == nil && gateway.received > term.began
                    : gateway.rivalReport.map { term.began - $0 < FleetConstants.absence } ?? false
            }
    }

    /// Returns the devices without an owner whose signal strengths the gateways have had time to measure.
    private func measured(_ devices: some Sequence<String>, _ term: inout Term, at now: Instant) -> [String] {
        let unowned = devices.filter { term.table.lines[$0] == nil }
        guard let arrivals = term.arrivals else {
            // In a fleet that starts, the gateways measure all of them.
            let areMeasured = term.isTakeover || unowned.count < term.table.lines.count
            guard areMeasured || now - term.began > FleetConstants.listening else { return [] }
            term.arrivals = [:]
            return unowned
        }
        guard known.available.count > 1 else { return unowned }
        term.arrivals = Dictionary(uniqueKeysWithValues: unowned.map { ($0, arrivals[$0] ?? now) })
        return unowned.filter { device in
            arrivals[device].map { now - $0 > FleetConstants.listening } ?? false
        }
    }

    // MARK: Decisions

    /// When the next decision is due at the latest; nil: this gateway does not decide.
    var decisionTime: Instant? { term.map { $0.lastDecision + FleetConstants.decision } }

    /// Prepares the decision that is due each 500 ms.
    mutating func timePassed(at now: Instant, _ drafts: inout FleetDrafts) {
        guard let decisionTime, decisionTime <= now else { return }
        drafts.decide(at: now, isUrgent: true) { _ in }
    }

    /// Completes a decision that is about to be sent.
    mutating func complete(_ decision: inout FleetDecision, at now: Instant) {
        guard let term else { return }
        for (name, gateway) in known.gateways where gateway.isAlive {
            guard let number = gateway.number else { continue }
            let isConfirmed = term.hasCollected && term.table.agrees(with: gateway, name)
            decision.acknowledgements[name] = FleetDecision.Acknowledgement(
                start: gateway.start, number: number, whole: isConfirmed ? gateway.wholeReport : nil)
        }
        decision.successors = succession.nextSuccessors(known)
        decision.number = term.nextNumber
        self.term?.nextNumber += 1
        self.term?.lastDecision = now
    }

    // MARK: Moves

    /// Looks for devices with a better place, and for other lists of devices, every 5 s.
    mutating func look(at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]) {
        guard mayDecide(at: now), hasCollected, var term else { return }
        self.term = nil
        defer { self.term = term }
        let notices = differences.look(identity.gateway, devices: { Set(placement.devices.names) }, known.gateways)
        actions += notices.map { .notify($0) }
        known.updateSlowAverages()
        term.table.removeUnknown(known)
        term.table.publishBonds(areChanged: true, known, at: now, &drafts)
        DeviceMoves(rules, placement).look(&term.table, known, at: now, &drafts)
    }

    /// Rule 19: assigns the devices of this gateway to others, because it stops.
    mutating func stop(at now: Instant, _ drafts: inout FleetDrafts) {
        guard mayDecide(at: now), hasCollected else { return }
        known.bury(identity.gateway)
        let devices = term?.table.devices(of: identity.gateway) ?? []
        term?.table.assign(devices, known, at: now, &drafts)
    }

    // MARK: Requests

    /// Returns the owner of a device if it can get requests.
    func availableOwner(of device: String) -> String? {
        guard let owner = term?.table.lines[device]?.owner, known[owner]?.isAvailable == true else { return nil }
        return owner
    }

    /// Whether the decider may give orders now.
    func givesOrders(at now: Instant) -> Bool { mayDecide(at: now) && hasCollected }

    func isRunning(_ process: FleetProcess) -> Bool {
        known[process.gateway].map { $0.isAlive && $0.start == process.start } ?? false
    }

    /// Whether a process runs and has reported fully: the decider knows all that it has executed.
    func hasReported(_ process: FleetProcess) -> Bool {
        isRunning(process) && known[process.gateway]?.wholeReport != nil
    }
}
