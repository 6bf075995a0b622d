import Contract
import System

/// Rule 18: the requests of clients, which each gateway receives and keeps until one of them has answered.
///
/// | state     | meaning                                                                                    |
/// |-----------|--------------------------------------------------------------------------------------------|
/// | `pending` | No process has begun the request.                                                            |
/// | `claimed` | This gateway has reported that it begins; it executes when a decision repeats that.          |
/// | `taken`   | Another process has begun the request.                                                       |
/// | `owed`    | The response waits until the gateway may act.                                                |
struct FleetRequests: Sendable {
    private struct Pending {
        let request: FleetRequest
        /// When the request became known.
        let since: Instant
        let deadline: Instant
        /// The process that executes the request; nil: none has begun.
        var process: FleetProcess?
        /// When the request was last reported or passed to its owner.
        var told: Instant
        /// The wait until the decider passes the request on; nil: the decider knows of the request.
        var patience: Duration?
        /// Whether this gateway has reported that it begins, and waits for the decision.
        var isClaimed = false
        /// Whether a decision has announced that this gateway executes the request.
        var isAnnounced = false
        /// Whether this gateway executes the request or has claimed it.
        var isBusy: Bool { isClaimed || isAnnounced || isExecuting }
        var isExecuting = false
        /// Whether a decision has ordered a gateway to answer as interrupted: the process that had begun was gone.
        var isInterrupted = false
        /// The size of the request in a message, in bytes.
        let size: Int

        init(_ request: FleetRequest, at now: Instant) {
            self.request = request
            since = now
            deadline = now + .milliseconds(request.remaining)
            told = now
            patience = FleetConstants.order
            size = request.size
        }

        /// Handles that a decision has announced which process executes the request.
        mutating func announce(isOwn: Bool) {
            isClaimed = false
            if !isExecuting { isAnnounced = isOwn }
        }

        /// Handles that a decision has ordered another gateway to answer as interrupted.
        mutating func interrupt() {
            (isClaimed, isAnnounced, isExecuting, isInterrupted) = (false, false, false, true)
        }

        /// Returns the request with its remaining time.
        func current(at now: Instant) -> FleetRequest {
            let remaining = deadline.nanoseconds(since: now) / 1_000_000
            return FleetRequest(device: request.device, remaining: Int(remaining), content: request.content)
        }
    }

    private struct Done {
        let time: Instant
        let isOwn: Bool
        /// When the answer is reported again; nil: a decision has announced it.
        var reportTime: Instant?
    }

    /// The state of this gateway when it looks at its requests.
    struct Situation {
        let isInTouch: Bool
        let owned: OwnedDevices
        let links: Set<String>
        let needs: DeviceValues<ConnectionNeed>
        /// The devices to which the gateway must not connect: it refuses their requests.
        let blocked: Set<String>

        func acts(for device: String) -> Bool {
            isInTouch && owned.isActing(device) && !owned.isLeaving(device)
        }
    }

    /// The number of answered requests of other gateways that are remembered.
    private static let mostDone = 20_000

    private let process: FleetProcess
    private let rules: FleetRules
    private var pending: [String: Pending] = [:]
    private var done: [String: Done] = [:]
    /// The requests whose responses wait.
    private var owed: [String: FleetAnswer] = [:]
    /// The pending requests that another process may have executed unnoticed: this gateway begins none of them by itself.
    private var doubts = RequestDoubts()

    init(_ identity: FleetIdentity, _ rules: FleetRules) {
        process = FleetProcess(gateway: identity.gateway, start: identity.start)
        self.rules = rules
    }

    /// The devices with a request that this gateway executes or has claimed.
    var busyDevices: Set<String> { Set(pending.values.lazy.filter(\.isBusy).map(\.request.device)) }
    /// The requests whose responses wait, in the order of their names.
    var held: [String] { owed.keys.sorted() }

    // MARK: What becomes known

    private func isSettled(_ id: String) -> Bool { done[id] != nil || owed[id] != nil }

    /// Returns the numbers in the names of the known requests with a fingerprint; nil: no such request is known.
    func numbers(of fingerprint: String, at now: Instant) -> RequestNames.Known? {
        let requests: [(name: String, since: Instant?)] =
            pending.map { ($0.key, $0.value.since) } + done.map { ($0.key, $0.value.time) }
            + owed.keys.map { ($0, nil) }
        return RequestNames.numbers(of: fingerprint, among: requests, at: now)
    }

    /// Adds a request unless it is known.
    ///
    /// - Returns: False if there is no room: all requests together must fit into a report.
    @discardableResult
    mutating func receive(_ id: String, _ request: FleetRequest, at now: Instant) -> Bool {
        guard pending[id] == nil, !isSettled(id) else { return true }
        let size = pending.values.reduce(request.size) { $0 + $1.size }
        guard pending.count < FleetLimits.requests, size <= FleetLimits.requestBytes else { return false }
        pending[id] = Pending(request, at: now)
        return true
    }

    /// Handles that a process is about to execute a request.
    mutating func begun(_ id: String, _ request: FleetRequest, by process: FleetProcess, at now: Instant) {
        guard !isSettled(id) else { return }
        receive(id, request, at: now)
        doubts.remove(id)
        pending[id]?.process = process
        pending[id]?.told = now
        pending[id]?.patience = FleetConstants.interruptedOrder
    }

    /// Handles that a request has been answered.
    private mutating func settle(
        _ id: String, isOwn: Bool, isAnnounced: Bool, at now: Instant, _ actions: inout [FleetAction]
    ) {
        remove(id)
        if owed.removeValue(forKey: id) != nil { actions.append(.dropResponse(id)) }
        if done[id] == nil, isOwn || done.count < Self.mostDone {
            done[id] = Done(time: now, isOwn: isOwn, reportTime: now + FleetConstants.repetition)
        }
        if isAnnounced { done[id]?.reportTime = nil }
    }

    /// Handles the members of a report about requests.
    ///
    /// `isRunning` returns whether a process runs. Of two that begin a request, the first one executes it.
    mutating func receive(
        _ report: FleetReport, of gateway: String, isRunning: (FleetProcess) -> Bool, at now: Instant,
        _ actions: inout [FleetAction]
    ) {
        let doubtful = Set(report.doubt?.requests ?? [])
        for (id, claim) in report.pending.sorted(by: { $0.key < $1.key }) {
            if let process = claim.process {
                begun(id, claim.request, by: process, at: now)
                continue
            }
            let isNew = pending[id] == nil && !isSettled(id)
            receive(id, claim.request, at: now)
            if !doubtful.contains(id) { doubts.remove(id) }
            if let doubt = report.doubt, isNew || doubts.contains(id), doubtful.contains(id), pending[id] != nil {
                doubts.add([id], doubt.processes)
            }
        }
        let sender = FleetProcess(gateway: gateway, start: report.start)
        for (id, request) in report.begun {
            let isTaken = pending[id]?.process.map { $0 != sender && isRunning($0) } ?? false
            if !isTaken { begun(id, request, by: sender, at: now) }
        }
        for id in report.done { settle(id, isOwn: sender == process, isAnnounced: false, at: now, &actions) }
    }

    /// Handles the members of a decision that count without an acknowledgement.
    mutating func receive(_ decision: FleetDecision, at now: Instant, _ actions: inout [FleetAction]) {
        for id in decision.done { settle(id, isOwn: false, isAnnounced: true, at: now, &actions) }
        for (id, claim) in decision.begun {
            guard let process = claim.process else { continue }
            begun(id, claim.request, by: process, at: now)
            pending[id]?.announce(isOwn: process == self.process)
        }
        for id in decision.orders.keys { doubts.remove(id) }
        for (id, order) in decision.orders where order.isInterrupted && order.gateway != process.gateway {
            if owed.removeValue(forKey: id) != nil { actions.append(.dropResponse(id)) }
            receive(id, order.request, at: now)
            pending[id]?.interrupt()
        }
    }

    /// Handles the orders of a decision with a fresh acknowledgement.
    mutating func obey(
        _ orders: [String: FleetOrder], isDeciding: Bool, _ situation: Situation, at now: Instant,
        _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        for (id, order) in orders.sorted(by: { $0.key < $1.key }) {
            guard order.gateway == process.gateway else {
                // All gateways keep the request, so that it survives its owner.
                receive(id, order.request, at: now)
                if !isDeciding { pending[id]?.patience = nil }
                continue
            }
            if done[id]?.isOwn == true {
                drafts.report { $0.done.append(id) }
                continue
            }
            // No decision has announced a claim of a request that is answered as interrupted.
            let isRunning = pending[id].map { $0.isBusy && !(order.isInterrupted && $0.isClaimed) } ?? false
            guard !isSettled(id), !isRunning else { continue }
            receive(id, order.request, at: now)
            if order.isInterrupted {
                finish(
                    id, .interrupted(order.request), canPublish: situation.isInTouch, at: now, &drafts, &actions)
            } else {
                pending[id]?.process = nil
                begin(id, situation, at: now, &drafts, &actions)
            }
        }
    }

    /// Handles the answered requests that are recorded at the seat, or that another gateway reports.
    mutating func receive(answered: [String], at now: Instant, _ actions: inout [FleetAction]) {
        for id in answered { settle(id, isOwn: false, isAnnounced: false, at: now, &actions) }
    }

    /// Handles the begun requests that are recorded at the seat.
    mutating func receive(begun claims: [String: FleetClaim], at now: Instant) {
        for (id, claim) in claims {
            guard let process = claim.process else { continue }
            begun(id, claim.request, by: process, at: now)
        }
    }

    /// Handles that this gateway has missed messages: any of the other processes may have executed requests.
    mutating func missed(others: Set<FleetProcess>) {
        guard !others.isEmpty else { return }
        for (id, entry) in pending where !entry.isInterrupted && !entry.isAnnounced && !entry.isExecuting {
            guard entry.process == nil || entry.process == process else { continue }
            // No decision has announced that this gateway begins.
            pending[id]?.process = nil
            pending[id]?.isClaimed = false
            doubts.add([id], others)
        }
    }

    private mutating func remove(_ id: String) {
        pending[id] = nil
        doubts.remove(id)
    }

    // MARK: The decider's part

    /// Adds what a gateway has missed, and what it has begun and done, to the next decision.
    ///
    /// With a seat, claims are recorded there before they are published. Claims count after `decider` has collected the full
    /// reports, which may contain other claims; gateways repeat them.
    mutating func announce(
        _ report: FleetReport, of gateway: String, _ decider: FleetDecider, hasSeat: Bool, at now: Instant,
        _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        if report.whole != nil || report.hasMissed {
            let held = Set(report.whole?.held ?? [])
            let finished = done.keys.filter { report.hasMissed || held.contains($0) || report.pending[$0] != nil }
            let begun = claims(at: now).filter { $0.value.process != nil && pending[$0.key]?.isInterrupted != true }
            drafts.decide(at: now) { decision in
                decision.begun.merge(begun) { $1 }
                decision.done += finished.prefix(FleetLimits.requests)
            }
        }
        if let doubt = report.doubt {
            // The sender begins none of them before it gets an order.
            for id in doubt.requests where pending[id]?.process == nil { pending[id]?.patience = .zero }
        }
        if let whole = report.whole {
            // A process that was gone returns: another gateway answers its requests.
            let sender = FleetProcess(gateway: gateway, start: report.start)
            let unanswered = Set(whole.held).union(report.pending.filter { $0.value.process == sender }.keys)
            for id in unanswered.sorted() where pending[id]?.isInterrupted == true {
                order(id, decider, at: now, &drafts)
            }
        }
        if !report.begun.isEmpty, decider.hasCollected {
            let claims = claims(at: now).filter {
                report.begun[$0.key] != nil && pending[$0.key]?.isInterrupted != true
            }
            if hasSeat { actions.append(.record(claims)) } else { publish(claims, at: now, &drafts) }
            let finished = report.begun.keys.filter { done[$0] != nil }
            if !finished.isEmpty { drafts.decide(at: now) { $0.done += finished } }
        }
        // The sender of a full report repeats the answers that no decision has announced.
        if !report.done.isEmpty, report.whole == nil {
            if hasSeat { actions.append(.recordAnswers(report.done)) }
            drafts.decide(at: now) { $0.done += report.done }
        }
    }

    /// Publishes claims, which are recorded at the seat if there is one.
    func publish(_ claims: [String: FleetClaim], at now: Instant, _ drafts: inout FleetDrafts) {
        drafts.decide(at: now) { $0.begun.merge(claims) { $1 } }
    }

    /// Publishes all answered requests, at the beginning of a term.
    func publishDone(at now: Instant, _ drafts: inout FleetDrafts) {
        let done = done.keys.prefix(FleetLimits.requests)
        drafts.decide(at: now) { $0.done += done }
    }

    /// Decides on the requests in doubt: if a process is gone that may have executed them, they are answered as interrupted.
    private mutating func resolveDoubts(_ decider: FleetDecider) {
        guard !doubts.requests.isEmpty else { return }
        let hasLost = doubts.hasLost(isRunning: decider.hasReported)
        for id in doubts.requests {
            doubts.remove(id)
            if hasLost { pending[id]?.isInterrupted = true }
            pending[id]?.patience = .zero
        }
    }

    /// Passes requests that no running process has begun to the owners of their devices.
    mutating func order(_ decider: FleetDecider, at now: Instant, _ drafts: inout FleetDrafts) {
        resolveDoubts(decider)
        for (id, entry) in pending where now - entry.told > entry.patience ?? .zero {
            order(id, decider, at: now, &drafts)
        }
    }

    /// Passes a request to the owner of its device, unless a running process has begun it.
    private mutating func order(
        _ id: String, _ decider: FleetDecider, at now: Instant, _ drafts: inout FleetDrafts
    ) {
        guard let entry = pending[id], let owner = decider.availableOwner(of: entry.request.device) else { return }
        let isInterrupted = entry.isInterrupted || entry.process.map { !decider.isRunning($0) } ?? false
        guard entry.process == nil || isInterrupted else { return }
        pending[id]?.isInterrupted = isInterrupted
        pending[id]?.told = now
        pending[id]?.patience = max(FleetConstants.order, (entry.patience ?? .zero) * 2)
        let order = FleetOrder(request: entry.current(at: now), gateway: owner, isInterrupted: isInterrupted)
        drafts.decide(at: now) { $0.orders[id] = order }
    }

    // MARK: The owner's part

    /// Reports that this gateway begins a request, if it acts for the device and could execute the request now.
    private mutating func begin(
        _ id: String, _ situation: Situation, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        guard let entry = pending[id], entry.process == nil, !entry.isBusy, !doubts.contains(id),
            situation.acts(for: entry.request.device)
        else { return }
        let device = entry.request.device
        let needsLink =
            (situation.needs[device] ?? .sometimes) != .never && !situation.blocked.contains(device)
        if needsLink, !situation.links.contains(device), now < entry.deadline {
            actions.append(.connect(device: device))
            return
        }
        guard rules.contains(.announcement) else {
            pending[id]?.isAnnounced = true
            drafts.report { $0.begun[id] = entry.current(at: now) }
            return
        }
        pending[id]?.isClaimed = true
        drafts.report { $0.begun[id] = entry.current(at: now) }
    }

    /// Repeats the reports of answered requests until a decision announces them.
    private mutating func repeatDone(at now: Instant, _ drafts: inout FleetDrafts) {
        for (id, answer) in done {
            guard let time = answer.reportTime, time <= now else { continue }
            done[id]?.reportTime = now + FleetConstants.repetition
            drafts.report { $0.done.append(id) }
        }
    }

    /// Begins, executes, repeats and forgets requests.
    mutating func watch(
        _ situation: Situation, isDeciding: Bool, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        for (id, response) in done where now - response.time > FleetConstants.requestMemory { done[id] = nil }
        if situation.isInTouch {
            publishOwed(at: now, &drafts, &actions)
            repeatDone(at: now, &drafts)
        }
        for (id, entry) in pending.sorted(by: { $0.key < $1.key }) {
            let isOwned = situation.owned.stamp(of: entry.request.device) != nil
            if entry.isAnnounced, entry.isInterrupted {
                finish(
                    id, .interrupted(entry.current(at: now)), canPublish: situation.isInTouch, at: now, &drafts,
                    &actions)
                continue
            }
            if entry.isAnnounced, situation.isInTouch || !isOwned {
                pending[id]?.isAnnounced = false
                pending[id]?.isExecuting = true
                actions.append(.execute(id, entry.current(at: now)))
            }
            guard situation.isInTouch else { continue }
            if entry.isClaimed, now - entry.told > FleetConstants.order {
                pending[id]?.told = now
                drafts.report { $0.begun[id] = entry.current(at: now) }
            }
            if !isDeciding, entry.process == nil, entry.patience != nil,
                now - entry.told > FleetConstants.unknownRequest
            {
                pending[id]?.patience = nil
                let claim = FleetClaim(request: entry.current(at: now), process: nil)
                drafts.report { $0.pending[id] = claim }
            }
            if isOwned {
                begin(id, situation, at: now, &drafts, &actions)
            } else if !entry.isBusy, now - entry.deadline > FleetConstants.requestGrace {
                remove(id)
            }
        }
    }

    /// Handles that the response to a request is ready.
    mutating func executed(
        _ id: String, canPublish: Bool, at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        guard pending[id]?.isExecuting == true else {
            actions.append(.dropResponse(id))
            return
        }
        finish(id, .executed, canPublish: canPublish, at: now, &drafts, &actions)
    }

    private mutating func finish(
        _ id: String, _ answer: FleetAnswer, canPublish: Bool, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        guard canPublish else {
            remove(id)
            owed[id] = answer
            return
        }
        respond(id, answer, at: now, &drafts, &actions)
    }

    private mutating func respond(
        _ id: String, _ answer: FleetAnswer, at now: Instant, _ drafts: inout FleetDrafts,
        _ actions: inout [FleetAction]
    ) {
        actions.append(.respond(id, answer))
        owed[id] = nil
        settle(id, isOwn: true, isAnnounced: false, at: now, &actions)
        drafts.report { $0.done.append(id) }
    }

    private mutating func publishOwed(
        at now: Instant, _ drafts: inout FleetDrafts, _ actions: inout [FleetAction]
    ) {
        for (id, answer) in owed.sorted(by: { $0.key < $1.key }) { respond(id, answer, at: now, &drafts, &actions) }
    }

    /// Handles that the broker has not acknowledged a response.
    mutating func responseLost(_ id: String) {
        done[id] = nil
        owed[id] = .executed
    }

    // MARK: Reports

    /// Adds the members about requests to a report.
    ///
    /// A new decider gets all answered requests: the gateways that have answered them can be gone.
    func complete(_ report: inout FleetReport, isWhole: Bool, isConfirmed: Bool, at now: Instant) {
        if isWhole || report.hasMissed || !report.pending.isEmpty { report.doubt = doubts.report }
        guard isWhole else { return }
        report.pending = claims(at: now)
        let told = isConfirmed ? done.filter(\.value.isOwn) : done
        report.done = told.sorted { $0.value.time > $1.value.time }.prefix(FleetLimits.requests).map(\.key)
    }

    /// The answered requests that no decision has announced.
    var unannounced: [String] { Array(done.filter { $0.value.reportTime != nil }.keys.prefix(FleetLimits.requests)) }

    private func claims(at now: Instant) -> [String: FleetClaim] {
        pending.mapValues { FleetClaim(request: $0.current(at: now), process: $0.process) }
    }
}
