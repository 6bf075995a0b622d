import Configuration
import System

/// The state machine of one device's connections: seek, connect, pair, discover, subscribe and read, disconnect, retry.
///
/// A value without I/O: events go in, actions come out.
package struct Session: Sendable {
    // The properties that are used for each value come first.
    /// Whether a notified value changes nothing in the session; updated by `handle(_:)`.
    ///
    /// Stored: each use of a computed property copies the whole session from the device (1,000 instructions, Swift 6.3.1).
    package private(set) var expectsNothing = false
    package private(set) var state = State.idle
    package private(set) var values: SessionValues
    package private(set) var cache = ServiceCache()

    package let plan: SessionPlan
    /// The actions of the event that is being handled.
    private var actions: [SessionAction] = []
    package private(set) var demand: ConnectionDemand
    package private(set) var retry = ConnectionRetry()
    package private(set) var bond: SessionBond
    package private(set) var subscriptions = SubscriptionFailures()
    /// The time over which the first sessions of devices that start together are spread.
    private var startSpread = Duration.zero
    /// Whether the timer `due` begins the first session.
    private var isFirstDelayed = false
    /// The first subscriptions and reads of the connection that have not been answered.
    private var firstAccesses: [SessionAction] = []

    package init(_ plan: SessionPlan) {
        self.plan = plan
        values = SessionValues(plan)
        demand = ConnectionDemand(plan.connect)
        bond = SessionBond(isRenewable: plan.renewsBond)
    }

    /// Handles an event; returns the actions to perform, in this order.
    package mutating func handle(_ event: SessionEvent) -> [SessionAction] {
        react(to: event)
        advance()
        expectsNothing = isReady && plan.quiet == nil && values.missing == nil && cache.isFresh && retry.isProven
        defer { actions = [] }
        return actions
    }

    private mutating func react(to event: SessionEvent) {
        switch event {
        case .startsAmong(let count): startSpread = Self.startSpread(of: count)
        case .started: start()
        case .stopped: stop()
        case .bluetoothChanged(let isOn): bluetoothChanged(isOn: isOn)
        case .ownershipChanged(let isOwner): ownershipChanged(isOwner: isOwner)
        case .blocked(let reason): block(because: reason)
        case .connectionRequested(let time): connectionRequested(for: time)
        case .found: if phase == .seeking { connect() }
        case .obstructed(let reason): if phase == .seeking { retry.setReason(reason) }
        case .connected: if phase == .connecting { connected() }
        case .connectFailed(let reason): if phase == .connecting { fail(reason) }
        case .bondLost(let reason): if phase == .connecting { bondLost(reason) }
        case .paired: paired()
        case .pairingFailed(let reason):
            if phase == .pairing { end(because: reason, longest: ConnectionRetry.longestPairingDelay) }
        case .passkeyUnused(let reason): if phase == .pairing { passkeyUnused(reason) }
        case .bondRefused(let name): if phase == .ready { bondRefused(name) }
        case .discovered(let present): discovered(present)
        case .discoveryFailed(let reason): discoveryFailed(reason)
        case .subscribed(let name): subscribed(name)
        case .subscribeFailed(let name, let isFinal, let isAnswer, let reason):
            if phase == .ready { subscribeFailed(name, isFinal: isFinal, isAnswer: isAnswer, reason) }
        case .obtained(let name, let isNotification): obtained(name, isNotification: isNotification)
        case .answered(let name):
            restartQuiet()
            obtained(name, isNotification: false)
        case .unanswered(let name):
            actions += values.unanswered(name)
            answered(.read(name))
        case .prolonged(let limit): if phase == .ready { actions += values.prolong(limit) }
        case .loginRefused(let reason):
            if phase == .ready { end(because: reason, longest: ConnectionRetry.longestPairingDelay) }
        case .readFailed(let name, let refusal): if phase == .ready { readFailed(name, refusal) }
        case .staleServices(let name): staleServices(name)
        case .connectionLost: connectionLost(Self.loss)
        case .serviceEnded: connectionLost(Self.serviceEnd)
        case .endsForPairing: retry.expectEnd()
        case .connectionStuck(let reason): if phase == .ready { end(because: reason) }
        case .lossExplained(let cause): if reason == Self.loss { retry.setReason("\(Self.loss): \(cause)") }
        case .waitingForSlot: if phase == .connecting { waitForSlot() }
        case .slotGranted: if phase == .connecting { enter(.connecting(isQueued: false)) }
        case .slotRecalled(let device):
            let isUsingSlot = [.connecting, .pairing, .discovering, .ready].contains(phase)
            demand.slotRecalled(for: isUsingSlot ? device : nil)
        case .servicesChanged: servicesChanged()
        case .ended: if phase == .ending { enter(.idle) }
        case .timerFired(let timer): fired(timer)
        case .commandQueued: commandQueued()
        case .commandFinished: commandFinished()
        case .collectRequested:
            endDismissal()
            collect()
        case .disconnectRequested(let pause): dismiss(for: pause)
        }
    }

    /// Searches for the device if a connection is needed, and ends a connection that is no longer needed.
    private mutating func advance() {
        switch state {
        case .idle:
            guard wantsConnection, !retry.isWaiting else { return }
            enter(.seeking)
            demand.sought()
            actions.append(.seek)
        case .seeking:
            guard !wantsConnection else { return }
            enter(.idle)
            actions.append(.stopSeeking)
        // A user may be entering a passkey: other devices wait.
        case .pairing:
            if !wantsConnection { end() }
        case .connecting, .discovering, .ready:
            if !wantsConnection {
                end()
            } else if let beneficiary = demand.slotBeneficiary {
                // The device then waits for a slot again.
                retry.rest(because: "made room for \(beneficiary)")
                end()
            }
        case .ending:
            break
        }
    }

    /// Changes the state.
    ///
    /// The time limit of a collecting session does not include the wait for a slot: the time starts after the wait.
    private mutating func enter(_ new: State) {
        let wasQueued = isWaitingForSlot
        state = new
        if wasQueued, !isWaitingForSlot { actions += values.slotGranted() }
    }

    // MARK: Management

    private mutating func start() {
        demand.start()
        beginPeriodicSessions()
    }

    private mutating func stop() {
        demand.stop()
        for timer in [SessionTimer.due, .hold, .quiet, .retry, .pause, .probation] { actions.append(.cancel(timer)) }
        actions += values.stop()
    }

    private mutating func bluetoothChanged(isOn: Bool) {
        let wasOn = demand.bluetoothChanged(isOn: isOn)
        if isOn {
            // A further adapter may reach the device.
            actions += retry.now()
            guard !wasOn else { return }
            retry.forgetReasons()
            if !values.isCollecting { beginPeriodicSessions() }
        } else if phase != .idle {
            // Without an adapter there is no connection to end.
            if phase == .seeking || phase == .connecting { actions.append(.stopSeeking) }
            enter(.idle)
            actions += values.endCollecting(because: "Bluetooth is not available")
        }
    }

    /// Begins the periodic sessions of a device that this gateway owns from now on, or ends the connection.
    private mutating func ownershipChanged(isOwner: Bool) {
        guard demand.ownershipChanged(isOwner: isOwner) != isOwner else { return }
        guard isOwner else {
            demand.endHold()
            actions += values.endCollecting(because: "another gateway owns the device")
            return
        }
        actions += retry.now()
        retry.forgetReasons()
        if demand.isStarted, !values.isCollecting { beginPeriodicSessions() }
    }

    /// Prevents connections except for commands, or allows them again.
    private mutating func block(because reason: String?) {
        let wasBlocked = demand.block(because: reason)
        if wasBlocked, reason == nil { actions += retry.now() }
    }

    private mutating func fired(_ timer: SessionTimer) {
        switch timer {
        case .due: becomeDue(isFirst: isFirstDelayed)
        case .within:
            if reason == nil && phase == .seeking { retry.setReason("the device was not seen") }
            actions += values.endCollecting()
        case .hold: demand.endHold()
        case .retry: retry.due()
        case .pause: endDismissal()
        case .quiet: becomeQuiet()
        case .probation: if phase == .ready { retry.succeeded() }
        case .read(let name):
            values.readIsDue(name)
            if isPresent(name) { actions.append(.read(name)) }
        case .subscribe(let name):
            if subscriptions.isSubscribed(name) {
                subscriptions.lasted(name)
            } else if isPresent(name) {
                actions.append(.subscribe(name))
            }
        }
    }

    // MARK: Connecting

    private mutating func connect() {
        enter(.connecting(isQueued: false))
        demand.slotRecalled(for: nil)
        actions.append(.connect)
    }

    private mutating func waitForSlot() {
        enter(.connecting(isQueued: true))
        actions += values.waitForSlot()
    }

    private mutating func connected() {
        bond.connected()
        retry.connected()
        guard plan.pair else { return discover() }
        enter(.pairing)
        actions += [.stopSeeking, .pair]
    }

    private mutating func discover() {
        enter(.discovering(isOutdated: false))
        actions += [.stopSeeking, .discover]
    }

    private mutating func discovered(_ present: Set<String>) {
        guard case .discovering(let isOutdated) = state else { return }
        if isOutdated { return discover() }
        let missing = plan.characteristics.subtracting(present)
        switch cache.verdict(missing: missing) {
        case .clear:
            enter(.ending)
            actions.append(.clearCache)
        case .accept(let news):
            if !news.isEmpty { actions.append(.reportMissing(news.sorted())) }
            becomeReady(present)
        }
    }

    private mutating func discoveryFailed(_ reason: String) {
        guard case .discovering(let isOutdated) = state else { return }
        if isOutdated { return discover() }
        end(because: reason)
    }

    /// Discovers the services again; a discovery in progress ends first, because it may have found the old services.
    private mutating func servicesChanged() {
        switch state {
        case .ready: discover()
        case .discovering: enter(.discovering(isOutdated: true))
        case .idle, .seeking, .connecting, .pairing, .ending: break
        }
    }

    private mutating func becomeReady(_ present: Set<String>) {
        enter(.ready(present: present))
        subscriptions.connected()
        cache.connectionIsReady()
        let accesses = values.accesses(of: present)
        actions += accesses
        // A subscription that is known to fail proves nothing.
        firstAccesses = accesses.filter { !subscriptions.isReported($0) }
        if firstAccesses.isEmpty { becomeUsable() }
        if let quiet = plan.quiet { actions.append(.schedule(.quiet, after: quiet)) }
        if demand.hasCommands { actions.append(.executeCommands) }
        actions += values.skip(allBut: present)
    }

    /// Notes the answer to a subscription or a read, whether it is a success or a failure.
    private mutating func answered(_ access: SessionAction) {
        guard isReady, let index = firstAccesses.firstIndex(of: access) else { return }
        firstAccesses.remove(at: index)
        if firstAccesses.isEmpty { becomeUsable() }
    }

    /// Notes that the device has answered the first accesses of the connection.
    private mutating func becomeUsable() {
        retry.answered()
        guard retry.isOnProbation, !plan.needsLogin else { return }
        actions.append(.schedule(.probation, after: ConnectionRetry.probation))
    }

    // MARK: Values

    private mutating func obtained(_ name: String, isNotification: Bool) {
        if isNotification {
            restartQuiet()
        } else {
            actions += values.readEnded(name)
        }
        cache.obtained(name)
        if !retry.isProven { proveConnection() }
        actions += values.skip(name)
    }

    /// Restarts the time without a notification or an answer.
    private mutating func restartQuiet() {
        if let quiet = plan.quiet, phase == .ready { actions.append(.schedule(.quiet, after: quiet)) }
    }

    /// Notes that the connection is of use.
    private mutating func proveConnection() {
        if retry.isOnProbation { actions.append(.cancel(.probation)) }
        retry.succeeded()
    }

    /// Reads a refused value again later, and reports the refusal.
    ///
    /// - Parameters:
    ///   - name: the characteristic.
    ///   - refusal: why the value could not be read; nil: the value was read, but does not fit its format.
    private mutating func readFailed(_ name: String, _ refusal: String?) {
        answered(.read(name))
        guard let refusal else { return actions += values.readLater(name) }
        let (isNew, next) = values.readRefused(name)
        if isNew { actions.append(.reportRead(name, reason: refusal)) }
        actions += next
    }

    /// Clears the cache of the services, once per characteristic: if the next access fails too, the cache is not the
    /// cause.
    private mutating func staleServices(_ name: String) {
        guard phase == .ready else { return }
        guard cache.becameStale(name) else {
            actions += values.readEnded(name) + values.skip(name)
            answered(.read(name))
            return answered(.subscribe(name))
        }
        enter(.ending)
        actions += [.cancel(.quiet), .clearCache]
    }

    private mutating func subscribed(_ name: String) {
        defer { answered(.subscribe(name)) }
        guard subscriptions.succeeded(name) else { return }
        actions.append(.schedule(.subscribe(name), after: SubscriptionFailures.probation))
    }

    /// Tries again; after the third failure on one connection, seldom, or once on another connection.
    private mutating func subscribeFailed(_ name: String, isFinal: Bool, isAnswer: Bool, _ reason: String) {
        answered(.subscribe(name))
        if isFinal { return actions += values.skip(name) }
        switch subscriptions.failed(name, because: reason, isAnswer: isAnswer) {
        case .tryAgain(let delay, let isNew):
            if isNew { actions.append(.reportSubscription(name, reason: reason)) }
            actions.append(.schedule(.subscribe(name), after: delay))
            // A collecting session does not wait for a value that does not come.
            if subscriptions.problem != nil { actions += values.skip(name) }
        case .connectAgain:
            actions.append(.reportSubscription(name, reason: reason))
            end(because: subscriptions.problem ?? reason)
        }
    }

    // MARK: Collecting

    /// The number of devices whose first sessions begin at once: every controller has so many connections.
    private static let firstStarters = 3
    /// The time for the first session of each further device: a connection takes about a second, one at a time.
    private static let startPause = Duration.seconds(2)
    /// The longest time until the first session: a minute after the start, the log names the devices that were not seen.
    private static let longestStartSpread = Duration.seconds(45)

    /// Returns the time over which the first sessions of devices that start together are spread.
    private static func startSpread(of count: Int) -> Duration {
        min(startPause * max(0, count - firstStarters), longestStartSpread)
    }

    /// Begins the periodic sessions of the device after the start, or after Bluetooth was off.
    ///
    /// The first one begins at once, or at the position of the device in the time over which they are spread.
    private mutating func beginPeriodicSessions() {
        guard case .every(let interval) = plan.connect else { return }
        let delay = min(interval, startSpread) * plan.phase
        isFirstDelayed = delay > .zero
        guard isFirstDelayed else { return becomeDue(isFirst: true) }
        actions.append(.schedule(.due, after: delay))
    }

    /// Begins a periodic session, and schedules the next one.
    ///
    /// The second session follows after 0.5 to 1.5 intervals, so that the sessions of many devices are spread over the
    /// interval.
    private mutating func becomeDue(isFirst: Bool) {
        guard case .every(let interval) = plan.connect else { return }
        isFirstDelayed = false
        actions.append(.schedule(.due, after: isFirst ? interval * (0.5 + plan.phase) : interval))
        if !demand.isKeptAway { collect() }
    }

    private mutating func collect() {
        guard demand.isPossible, !values.isCollecting else { return }
        actions += retry.now()
        actions += values.collect(present: present, isQueued: isWaitingForSlot)
    }

    // MARK: Commands

    private mutating func commandQueued() {
        demand.commandQueued()
        endDismissal()
        actions.append(.cancel(.hold))
        if phase == .ready { actions.append(.executeCommands) }
    }

    private mutating func commandFinished() {
        if phase == .ready, !retry.isProven { proveConnection() }
        guard demand.commandFinished(), phase == .ready, plan.connect != .always else { return }
        demand.hold()
        actions.append(.schedule(.hold, after: plan.hold))
    }

    /// Connects the device, and keeps the connection until a command arrives or the time is over.
    private mutating func connectionRequested(for time: Duration) {
        endDismissal()
        guard !demand.hasCommands else { return }
        demand.hold()
        actions.append(.schedule(.hold, after: time))
    }

    private mutating func endDismissal() {
        demand.endDismissal()
        actions.append(.cancel(.pause))
        actions += retry.now()
    }

    private mutating func dismiss(for pause: Duration?) {
        demand.dismiss(isPause: pause != nil)
        retry.setReason(nil)
        actions += values.endCollecting(because: "a disconnect was requested")
        actions.append(pause.map { .schedule(.pause, after: $0) } ?? .cancel(.pause))
    }

    // MARK: Bonding

    /// Continues after pairing: discovers the services, or repeats the accesses that were refused without a bond.
    private mutating func paired() {
        if phase == .pairing { return discover() }
        guard case .ready(let present) = state else { return }
        actions += values.accesses(of: bond.paired().intersection(present))
    }

    /// Removes a bond that was made without the configured passkey.
    private mutating func passkeyUnused(_ reason: String) {
        fail(reason, longest: ConnectionRetry.longestPairingDelay)
        enter(.ending)
        actions += [.stopSeeking, .forgetBond]
    }

    private mutating func bondLost(_ reason: String) {
        guard mayRenewBond else { return fail(reason, longest: ConnectionRetry.longestPairingDelay) }
        actions.append(.stopSeeking)
        renewBond(reason)
    }

    private mutating func bondRefused(_ name: String) {
        if bond.tryAgain(name) { return actions += values.accesses(of: [name]) }
        bond.refused(name)
        if mayRenewBond { renewBond("the bond is no longer valid") }
    }

    private mutating func renewBond(_ reason: String) {
        retry.setReason(reason)
        bond.renew()
        enter(.ending)
        demand.endHold()
        actions += [.cancel(.quiet), .cancel(.hold), .forgetBond]
    }

    // MARK: The end of a connection

    /// Schedules the next attempt.
    ///
    /// A connection that is lost before its first accesses are answered counts as a failed one. The end of bluetoothd is
    /// not a failure of the device.
    private mutating func connectionLost(_ cause: String) {
        switch state {
        case .pairing, .discovering, .ready:
            confirmBond()
            enter(.idle)
            actions += [.cancel(.quiet), .cancel(.probation)]
            actions.append(cause == Self.serviceEnd ? retry.connectAgain(cause) : retry.connectionLost(cause))
        case .idle, .seeking, .connecting, .ending:
            break
        }
    }

    /// Schedules the next attempt after a failure, and ends the attempt to connect, if there is one.
    private mutating func fail(_ reason: String, longest: Duration = ConnectionRetry.longestDelay) {
        let next = retry.failed(reason, longest: longest)
        if phase == .connecting {
            enter(.idle)
            actions.append(.stopSeeking)
        }
        actions.append(next)
    }

    /// Ends the connection after a failure, and schedules the next attempt.
    private mutating func end(because reason: String, longest: Duration = ConnectionRetry.longestDelay) {
        fail(reason, longest: longest)
        end()
    }

    private mutating func end() {
        confirmBond()
        enter(.ending)
        demand.endHold()
        if retry.isOnProbation { actions.append(.cancel(.probation)) }
        actions += [.stopSeeking, .cancel(.quiet), .cancel(.hold), .end]
    }

    /// Confirms the bond at the end of a connection without a refused access.
    private mutating func confirmBond() {
        if phase == .ready { bond.confirm() }
    }

    /// Ends the collecting session, and with `connect: always` the connection, after the time `quiet` without a
    /// notification.
    private mutating func becomeQuiet() {
        guard phase == .ready, let quiet = plan.quiet else { return }
        // A command may cause notifications: the time starts again.
        if demand.hasCommands { return actions.append(.schedule(.quiet, after: quiet)) }
        demand.endHold()
        let cause = "no notification for \(quiet.text)"
        actions += values.endCollecting(because: cause)
        guard plan.connect == .always else { return }
        actions.append(retry.rest(for: quiet, because: cause))
        end()
    }
}
