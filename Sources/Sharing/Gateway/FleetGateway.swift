package import Contract
package import System

// The folders of this room; each names only types of the folders before it.
//
// | folder     | which question it answers                                                                     |
// |------------|-----------------------------------------------------------------------------------------------|
// | `Rules`    | Which rules and constants does each gateway obey?                                              |
// | `Devices`  | How are values of thousands of devices kept?                                                   |
// | `Events`   | Which events does a gateway handle, and which actions does it demand?                          |
// | `Member`   | What does this gateway report, own, and may it act now?                                        |
// | `Decider`  | Which gateway decides, and which gateway owns which device?                                    |
// | `Requests` | Which gateway executes and answers the request of a client?                                    |
// | `Changes`  | Which changes of devices at run time does which gateway lack?                                  |
// | `Gateway`  | How do these parts work together?                                                              |

/// One gateway of a fleet of gateways that share devices: each device has one owner at a time.
///
/// A value without I/O: events go in, actions come out. One gateway decides which gateway owns which device; all others
/// follow its decisions. An owner acts only while the decider acknowledges its reports. All messages go through the broker,
/// also those of the decider to itself.
///
/// `FleetMember` reports and obeys, `FleetDecider` decides, `FleetRequests` keeps requests, `ChangeExchange` compares changes
/// of devices. `FleetRules` names the twenty rules.
package struct FleetGateway: Sendable {
    private let identity: FleetIdentity
    private let rules: FleetRules
    private var needs: DeviceValues<ConnectionNeed>
    private var member: FleetMember
    private var decider: FleetDecider
    private var requests: FleetRequests
    private var changes = ChangeExchange()
    private var drafts: FleetDrafts
    private var actions: [FleetAction] = []
    private var isConnected = false
    /// When the last event was handled.
    private var lastEvent: Instant
    /// When the process continued after its last pause; nil: it was not paused.
    private var continued: Instant?
    private var watchTime: Instant
    private var lookTime: Instant
    /// When the event `timer` is due.
    package private(set) var wake: Instant

    /// - Parameters:
    ///   - identity: the names of this process.
    ///   - devices: the shared devices.
    ///   - roster: the fingerprint of the configuration of the shared devices.
    ///   - memory: what the last process has stored.
    ///   - rules: the rules that the gateway obeys; tests switch off some of them.
    ///   - now: the current time.
    package init(
        _ identity: FleetIdentity, devices: [String: ConnectionNeed], roster: String,
        memory: FleetMemory = FleetMemory(), rules: FleetRules = .all, at now: Instant
    ) {
        self.identity = identity
        self.rules = rules
        needs = DeviceValues(devices)
        member = FleetMember(identity, rules, devices: identity.devices(of: needs), roster: roster, at: now)
        decider = FleetDecider(identity, rules, needs: needs, memory: memory, at: now)
        requests = FleetRequests(identity, rules)
        drafts = FleetDrafts(start: identity.start)
        lastEvent = now
        watchTime = now + FleetConstants.watch
        // Each gateway looks at another time.
        let phase = Placement.hash(identity.start) % UInt64(FleetConstants.look.nanoseconds)
        lookTime = now + .nanoseconds(Int64(phase))
        wake = now
    }

    /// Handles an event; returns the actions to perform, in this order.
    package mutating func handle(_ event: FleetEvent, at now: Instant) -> [FleetAction] {
        if now - lastEvent > FleetConstants.pause { continued = now }
        lastEvent = now
        react(to: event, at: now)
        plan(at: now)
        defer { actions = [] }
        return actions
    }

    private mutating func react(to event: FleetEvent, at now: Instant) {
        switch event {
        case .connected(let connection): connected(connection, at: now)
        case .disconnected: disconnected(at: now)
        case .report(let report, let gateway): received(report, of: gateway, at: now)
        case .decision(let decision): received(decision, at: now)
        case .will(let gateway, let start, let connection):
            decider.receivedWill(of: gateway, start: start, connection: connection, at: now)
        case .timer: timePassed(at: now)
        case .measured(let levels): measured(levels, at: now)
        case .linked(let device, let isLinked): linked(device, isLinked, at: now)
        case .linkFound(let device): member.linked(device, true, &drafts)
        case .connectFailed(let device): member.connectFailed(device)
        case .bonded(let devices): member.setBonded(devices, &drafts, &actions)
        case .counters(let counters): member.setCounters(counters, &drafts)
        case .ownerWanted(let device): member.wantOwner(of: device, &drafts)
        case .freeSlots(let count): member.setFreeSlots(count)
        case .request(let id, let request):
            if requests.receive(id, request, at: now) {
                watchRequests(at: now)
            } else if situation(at: now).acts(for: request.device) {
                actions.append(.refuse(request))
            }
        case .executed(let id):
            requests.executed(id, canPublish: isInTouch(at: now), at: now, &drafts, &actions)
        case .responseLost(let id): requests.responseLost(id)
        case .seated(let begun, let answered, let asked, let giver):
            seated(begun: begun, answered: answered, asked: asked, giver: giver, at: now)
        case .recorded(let claims): requests.publish(claims, at: now, &drafts)
        case .devices(let devices, let roster): use(devices, roster, at: now)
        case .revisions(let revisions, let changed):
            changes.use(revisions)
            if isConnected, !changed.isEmpty { actions.append(.publishChanges(of: changed, wanted: [:])) }
        case .changes(let changes, let gateway): received(changes, of: gateway, at: now)
        case .stop: stop(at: now)
        }
    }

    /// Returns a text that two gateways have in common if they have these texts in common, in the same order.
    package static func fingerprint(of texts: [String]) -> String {
        Placement.fingerprint(of: texts)
    }

    // MARK: What the gateway may do

    /// Whether the gateway may publish readings of connections, and responses.
    package func isInTouch(at now: Instant) -> Bool { member.isInTouch(at: now) }

    /// Whether the gateway owns a device and has begun to act for it.
    package func isActing(for device: String) -> Bool { member.owned.isActing(device) }

    /// Whether the gateway owns a device.
    package func owns(_ device: String) -> Bool { member.owned.stamp(of: device) != nil }

    /// The stamp of the assignment of a device to this gateway; nil: the gateway does not own the device.
    package func stamp(of device: String) -> FleetStamp? { member.owned.stamp(of: device) }

    /// Returns since when the gateway owns a device; nil: it does not own the device.
    package func ownedSince(_ device: String) -> Instant? { member.owned.since(device) }

    /// Returns why the gateway owns a device, for people; nil: not known.
    package func reason(of device: String) -> String? { member.owned.reason(of: device) }

    /// Returns why the gateway must not connect to a device that it owns; nil: it may.
    ///
    /// Only gateways with a bond connect to a bonded device, because another bond could replace it.
    package func obstacle(to device: String) -> String? { member.obstacle(to: device) }

    /// Returns the counters of the last encrypted advertisements that the former owner of an owned device has accepted, by
    /// format.
    package func counters(of device: String) -> [String: Int] { member.owned.counters(of: device) }

    /// Whether another gateway has become the owner of a device since this one owned it.
    package func isOwnedElsewhere(_ device: String) -> Bool {
        guard member.owned.stamp(of: device) == nil, let greatest = memory.stamps[device] else { return false }
        return member.owned.droppedStamp(of: device).map { $0 < greatest } ?? true
    }

    /// The devices that the gateway owns, in the order of their names.
    package var ownedDevices: [String] { member.owned.names }

    /// Whether the gateway decides.
    package var isDeciding: Bool { decider.isDeciding }

    /// Whether the gateway decides and has collected the reports of the others.
    package var hasCollected: Bool { decider.hasCollected }

    /// Whether the decider confirms this gateway.
    package var isConfirmed: Bool { member.lease.isConfirmed }

    /// The owners of all devices; empty if this gateway does not decide.
    package var owners: [String: String] { decider.owners }

    /// Returns the places of all devices, for the request `fleet`; empty if this gateway does not decide.
    package func places(at now: Instant) -> [String: DevicePlace] { decider.places(at: now) }

    /// The key of the decider that the gateway follows; nil: none is known.
    package var followed: FleetKey? { decider.followed }

    /// The gateways that the last decision acknowledged.
    package var members: Set<String> { decider.members }

    /// Returns the numbers in the names of the known requests with a fingerprint; nil: there are none.
    package func numbers(ofRequests fingerprint: String, at now: Instant) -> RequestNames.Known? {
        requests.numbers(of: fingerprint, at: now)
    }

    /// The number of the next revision of a device that is changed at this gateway.
    package var nextRevision: Int { changes.nextNumber }

    /// The state that the gateway must store, once a minute and before its end.
    package var memory: FleetMemory { decider.memory }

    /// Rule 7: returns what happens to a reading of an advertisement that has just arrived.
    package func admission(ofAdvertisement device: String, at now: Instant) -> Admission {
        guard let stamp = member.owned.stamp(of: device), !isFromPause(device, at: now) else { return .drop }
        guard isInTouch(at: now) else { return .hold(member.isUndisputed(at: now) ? nil : stamp) }
        return member.owned.isActing(device) ? .publish : .drop
    }

    /// Whether a reading can be from a pause of the process, in which another gateway owned the device.
    private func isFromPause(_ device: String, at now: Instant) -> Bool {
        guard let continued, now - continued < FleetConstants.watch else { return false }
        return ownedSince(device).map { $0 >= continued } ?? false
    }

    /// Rule 7: returns what happens to a reading of an advertisement that waited.
    ///
    /// If the gateway is in touch and the result is `hold`, the event `ownerWanted` leads to the action `ownerFound`.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - stamp: The stamp with which the reading was held.
    ///   - arrival: When the reading arrived.
    ///   - now: The current time.
    /// - Returns: The treatment of the reading.
    package func admission(
        ofHeld device: String, _ stamp: FleetStamp?, arrival: Instant, at now: Instant
    ) -> Admission {
        guard isInTouch(at: now) else { return .hold(stamp) }
        // No gateway reports a device that is not shared any more.
        guard let stamp, rules.contains(.heldReadings), needs[device] != nil else { return .publish }
        return member.isUnpublished(device, stamp, arrival).map { $0 ? .publish : .drop } ?? .hold(stamp)
    }

    // MARK: The connection

    private mutating func connected(_ connection: Int, at now: Instant) {
        isConnected = true
        drafts.connected(connection)
        member.connected(at: now, &actions)
        requests.missed(others: decider.others)
        decider.connected(at: now)
        changes.connected()
        drafts.reportWhole()
    }

    private mutating func disconnected(at now: Instant) {
        isConnected = false
        decider.disconnected(&drafts)
        member.disconnected(at: now)
        drafts.disconnected()
    }

    /// Rule 2: follows a key.
    private mutating func follow(_ key: FleetKey, at now: Instant) {
        decider.follow(key, at: now, &drafts)
        member.follow(&drafts)
        actions += [.store, .notify(.decider(key.gateway))]
    }

    // MARK: Messages of gateways

    private mutating func received(_ report: FleetReport, of gateway: String, at now: Instant) {
        if gateway == identity.gateway {
            if report.start == identity.start {
                decider.echoed(sent: member.sendingTime(of: report.number))
            } else {
                member.otherProcess(report.start, lastDecision: decider.lastDecision, at: now, &actions)
            }
        }
        // A report can arrive although the gateway does not read them any more.
        guard decider.isListening else { return requests.receive(answered: report.done, at: now, &actions) }
        decider.learn(report, at: now, &drafts)
        switch decider.receive(report, of: gateway, at: now, &actions) {
        case .ignored: return
        case .follow(let key):
            if decider.follows(key, at: now) { follow(key, at: now) }
            return
        case .received: break
        }
        requests.receive(report, of: gateway, isRunning: decider.isRunning, at: now, &actions)
        guard decider.isDeciding else { return }
        decider.react(to: report, of: gateway, at: now, &drafts)
        requests.announce(
            report, of: gateway, decider, hasSeat: identity.hasSeat, at: now, &drafts, &actions)
    }

    private mutating func received(_ decision: FleetDecision, at now: Instant) {
        if decider.follows(decision.key, at: now) {
            follow(decision.key, at: now)
        } else if decision.key != decider.followed {
            if decider.isDeciding { decider.contradict(at: now, &drafts) }
            return
        }
        let wasInTouch = isInTouch(at: now)
        if member.hasGap(before: decision) {
            drafts.report { $0.hasMissed = true }
            requests.missed(others: decider.others)
        }
        if changes.compare(with: decision.changes, at: now) { actions.append(.publishRevisions(changes.nextList())) }
        decider.received(decision, at: now, &actions)
        let isFresh = member.acknowledge(decision, at: now, &drafts, &actions)
        if isFresh { decider.note(decision.owners, at: now) }
        if isConfirmed {
            decider.confirmed()
        } else if decider.awaitConfirmation(), rules.contains(.report) {
            drafts.reportWhole()
        }
        if decision.wanted.contains(identity.gateway), rules.contains(.report) { drafts.reportWhole() }
        requests.receive(decision, at: now, &actions)
        let busy = decision.releases.isEmpty ? [] : requests.busyDevices
        for (device, assignment) in decision.releases.sorted(by: { $0.key < $1.key }) {
            member.release(device, assignment, isBusy: busy.contains(device), &drafts, &actions)
        }
        for (device, assignment) in decision.owners.sorted(by: { $0.key < $1.key }) {
            member.assign(device, assignment, isFresh: isFresh, at: now, &drafts, &actions)
        }
        if isFresh || !rules.contains(.assignment) {
            requests.obey(
                decision.orders, isDeciding: decider.isDeciding, situation(at: now), at: now, &drafts, &actions)
        }
        watch(at: now)
        if !wasInTouch, isInTouch(at: now) { actions.append(.publishHeldReadings) }
    }

    /// Handles changes of devices that another gateway has, lists or wants.
    private mutating func received(_ message: FleetChanges, of gateway: String, at now: Instant) {
        guard gateway != identity.gateway else { return }
        let newer = changes.newer(of: message.changes)
        if !newer.isEmpty { actions.append(.applyChanges(newer)) }
        if let known = message.known, decider.isDeciding, let answer = changes.answer(to: known, at: now) {
            actions.append(.publishChanges(of: answer.send, wanted: answer.want.isEmpty ? [:] : [gateway: answer.want]))
        }
        if let wanted = message.wanted[identity.gateway] {
            let answer = changes.answer(toWanted: wanted, at: now)
            if !answer.isEmpty { actions.append(.publishChanges(of: answer, wanted: [:])) }
        }
    }

    // MARK: Time

    private mutating func timePassed(at now: Instant) {
        if watchTime <= now {
            watchTime = now + FleetConstants.watch
            watch(at: now)
        }
        if lookTime <= now {
            lookTime = now + FleetConstants.look
            actions.append(.measure)
        }
        decider.timePassed(at: now, &drafts)
        if member.reportTime(at: now) <= now { drafts.report { _ in } }
        sendReport(at: now)
    }

    private mutating func watch(at now: Instant) {
        let hadCollected = decider.hasCollected
        let key = decider.watch(isShadow: member.lease.isShadow(at: now), at: now, &drafts, &actions)
        if let key { follow(key, at: now) }
        if decider.hasCollected, !hadCollected {
            requests.publishDone(at: now, &drafts)
        }
        if decider.givesOrders(at: now) { requests.order(decider, at: now, &drafts) }
        // A gateway that was alone holds its connections: no other gateway wants them.
        let isAlone = decider.members == [identity.gateway]
        member.watch(at: now, busyDevices: requests.busyDevices, isAlone: isAlone, &drafts, &actions)
        watchRequests(at: now)
    }

    private func situation(at now: Instant) -> FleetRequests.Situation {
        FleetRequests.Situation(
            isInTouch: isInTouch(at: now), owned: member.owned, links: member.links, needs: needs,
            blocked: member.blockedDevices)
    }

    private mutating func watchRequests(at now: Instant) {
        requests.watch(situation(at: now), isDeciding: decider.isDeciding, at: now, &drafts, &actions)
    }

    private mutating func measured(_ levels: [String: Int], at now: Instant) {
        member.measured(levels, &drafts)
        decider.look(at: now, &drafts, &actions)
    }

    private mutating func linked(_ device: String, _ isLinked: Bool, at now: Instant) {
        guard !isLinked || owns(device) else {
            actions.append(.disconnect(device: device))
            return
        }
        member.linked(device, isLinked, &drafts)
        if isLinked { watchRequests(at: now) }
    }

    private mutating func seated(
        begun: [String: FleetClaim], answered: [String], asked: Instant, giver: FleetProcess?, at now: Instant
    ) {
        requests.receive(answered: answered, at: now, &actions)
        let isShadow = member.lease.isShadow(at: now)
        let key = decider.seated(asked: asked, giver: giver, isShadow: isShadow, at: now, &drafts, &actions)
        guard let key else { return }
        follow(key, at: now)
        requests.receive(begun: begun, at: now)
    }

    /// Rule 19: passes the devices on, then resigns.
    private mutating func stop(at now: Instant) {
        member.disconnectAll(&drafts, &actions)
        member.dropAll(&drafts, &actions)
        guard rules.contains(.resignation) else { return }
        decider.stop(at: now, &drafts)
        let answered = requests.unannounced
        drafts.report { report in
            report.done += answered.filter { !report.done.contains($0) }
            report.isLeaving = true
        }
        sendReport(at: now)
        drafts.decide(at: now, isUrgent: true) { $0.isResigning = true }
    }

    /// Uses another list of shared devices.
    private mutating func use(_ devices: [String: ConnectionNeed], _ roster: String, at now: Instant) {
        needs = DeviceValues(devices)
        decider.use(needs)
        member.use(identity.devices(of: needs), roster: roster, at: now, &drafts, &actions)
    }

    // MARK: Sending

    /// Sends what is due, and calculates when the next event `timer` is due.
    private mutating func plan(at now: Instant) {
        // A report gathers the changes of one turn: the timer is due in the next turn.
        if let time = drafts.decisionTime, time <= now { sendDecision(at: now) }
        wake = min(watchTime, lookTime)
        guard isConnected else { return }
        wake = min(wake, drafts.isReportDue ? now : member.reportTime(at: now))
        if let time = decider.decisionTime { wake = min(wake, time) }
        if let time = drafts.decisionTime { wake = min(wake, time) }
    }

    private mutating func sendReport(at now: Instant) {
        guard let draft = drafts.takeReport() else { return }
        var report = draft.report
        member.complete(
            &report, isWhole: draft.isWhole, followed: decider.followed, remembered: decider.remembered,
            held: requests.held, at: now)
        requests.complete(&report, isWhole: draft.isWhole, isConfirmed: isConfirmed, at: now)
        actions.append(.publishReport(report))
    }

    private mutating func sendDecision(at now: Instant) {
        guard let decision = drafts.takeDecision(at: now) else { return }
        for var portion in decision.portions {
            decider.complete(&portion, at: now)
            portion.changes = changes.summary
            actions.append(.publishDecision(portion))
        }
    }
}

extension FleetIdentity {
    /// Returns the devices that the gateway can own.
    fileprivate func devices(of needs: DeviceValues<ConnectionNeed>) -> DeviceNumbers {
        onlyDecides ? .none : needs.numbers
    }
}

/// The treatment of a reading of an advertisement.
package enum Admission: Hashable, Sendable {
    case publish
    /// The reading waits, with the stamp of the assignment under which it arrived.
    ///
    /// Nil: no other gateway could own the device when it arrived, so it is published as soon as the gateway is in touch.
    case hold(FleetStamp?)
    /// Another gateway publishes the reading.
    case drop
}
