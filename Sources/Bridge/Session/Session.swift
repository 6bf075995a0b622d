import BlueZ
import Configuration
import System

/// The state machine of one device's connections: seek, connect, pair, discover, subscribe and read, disconnect, retry.
///
/// A value without I/O: events go in, actions come out.
struct Session: Sendable {
    // The properties that are used for each value come first.
    private(set) var state = State.idle
    /// The characteristics whose values a collecting session still needs; nil if no collecting session is in progress.
    private(set) var missing: Set<String>?
    private(set) var cache = ServiceCache()

    let plan: SessionPlan
    /// The actions of the event that is being handled.
    private var actions: [SessionAction] = []
    /// The number of consecutive failures.
    private(set) var attempts = 0
    /// Why the device is not connected; nil if the device is connected or was disconnected on purpose.
    private(set) var reason: String?
    /// Whether the device is managed.
    private(set) var isStarted = false
    private(set) var isBluetoothOn = false
    /// The number of commands that need the connection.
    private(set) var commands = 0
    /// Whether the connection is kept open after the last command.
    private(set) var isHolding = false
    private(set) var dismissal = Dismissal.none
    private var isWaitingToRetry = false
    /// The name of the device that waits for the connection slot of this device; nil: none.
    private var beneficiary: String?
    /// Why the device is disconnected on purpose: it sent no notifications, or another device needs its slot.
    ///
    /// Nil: it is not.
    private(set) var restCause: String?
    private(set) var bond: SessionBond
    private(set) var subscriptions = SubscriptionFailures()
    /// The names of the characteristics whose periodic read is due.
    private(set) var dueReads: Set<String>

    init(_ plan: SessionPlan) {
        self.plan = plan
        bond = SessionBond(isRenewable: plan.renewsBond)
        dueReads = Set(plan.reads.map(\.name))
    }

    /// Handles an event; returns the actions to perform, in this order.
    mutating func handle(_ event: SessionEvent) -> [SessionAction] {
        react(to: event)
        advance()
        defer { actions = [] }
        return actions
    }

    private mutating func react(to event: SessionEvent) {
        switch event {
        case .started: start()
        case .stopped: stop()
        case .bluetoothChanged(let isOn): bluetoothChanged(isOn: isOn)
        case .found: if phase == .seeking { connect() }
        case .obstructed(let reason): if phase == .seeking { self.reason = reason }
        case .connected: if phase == .connecting { connected() }
        case .connectFailed(let reason): if phase == .connecting { fail(reason) }
        case .bondLost(let reason): if phase == .connecting { bondLost(reason) }
        case .paired: paired()
        case .pairingFailed(let reason): if phase == .pairing { pairingFailed(reason) }
        case .passkeyUnused(let reason): if phase == .pairing { passkeyUnused(reason) }
        case .bondRefused(let name): if phase == .ready { bondRefused(name) }
        case .discovered(let present): discovered(present)
        case .discoveryFailed(let reason): discoveryFailed(reason)
        case .subscribed(let name): subscriptions.succeeded(name)
        case .subscribeFailed(let name, let isFinal, let reason):
            if phase == .ready { subscribeFailed(name, isFinal: isFinal, reason) }
        case .obtained(let name, let isNotification): obtained(name, isNotification: isNotification)
        case .readFailed(let name): if phase == .ready { readLater(name) }
        case .staleServices(let name): staleServices(name)
        case .connectionLost: connectionLost(Self.loss)
        case .serviceEnded: connectionLost(Self.serviceEnd)
        case .connectionStuck(let reason):
            if phase == .ready {
                fail(reason)
                end()
            }
        case .lossExplained(let cause): if reason == Self.loss { reason = "\(Self.loss): \(cause)" }
        case .waitingForSlot: if phase == .connecting { waitForSlot() }
        case .slotGranted: if phase == .connecting { enter(.connecting(isQueued: false)) }
        case .slotRecalled(let device):
            beneficiary = [.connecting, .pairing, .discovering, .ready].contains(phase) ? device : nil
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
            guard wantsConnection, !isWaitingToRetry else { return }
            enter(.seeking)
            if dismissal == .untilSought { dismissal = .none }
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
            } else if let beneficiary, commands == 0 {
                rest(because: "made room for \(beneficiary)")
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
        if wasQueued, !isWaitingForSlot, missing != nil { actions.append(.schedule(.within, after: plan.within)) }
    }

    // MARK: Management

    private mutating func start() {
        isStarted = true
        if isPeriodic { becomeDue() }
    }

    private mutating func stop() {
        isStarted = false
        missing = nil
        for timer in [SessionTimer.due, .within, .hold, .quiet, .retry, .pause] { actions.append(.cancel(timer)) }
        for read in plan.reads { actions.append(.cancel(.read(read.name))) }
    }

    private mutating func bluetoothChanged(isOn: Bool) {
        let wasOn = isBluetoothOn
        isBluetoothOn = isOn
        if isOn {
            // A further adapter may reach the device.
            retryNow()
            guard !wasOn else { return }
            reason = nil
            restCause = nil
            if isPeriodic, missing == nil { becomeDue() }
        } else if phase != .idle {
            // Without an adapter there is no connection to end.
            if phase == .seeking || phase == .connecting { actions.append(.stopSeeking) }
            enter(.idle)
            finishCollecting(because: "Bluetooth is not available")
        }
    }

    private mutating func fired(_ timer: SessionTimer) {
        switch timer {
        case .due: becomeDue()
        case .within:
            if reason == nil && phase == .seeking { reason = "the device was not seen" }
            finishCollecting()
        case .hold: isHolding = false
        case .retry: isWaitingToRetry = false
        case .pause: endDismissal()
        case .quiet: becomeQuiet()
        case .read(let name):
            dueReads.insert(name)
            if isPresent(name) { actions.append(.read(name)) }
        case .subscribe(let name):
            if isPresent(name) { actions.append(.subscribe(name)) }
        }
    }

    // MARK: Connecting

    private mutating func connect() {
        enter(.connecting(isQueued: false))
        beneficiary = nil
        actions.append(.connect)
    }

    private mutating func waitForSlot() {
        enter(.connecting(isQueued: true))
        if missing != nil { actions.append(.cancel(.within)) }
    }

    private mutating func connected() {
        bond.connected()
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
        fail(reason)
        end()
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
        // While a subscription keeps failing, the delay between the connections grows.
        if subscriptions.problem == nil { attempts = 0 }
        subscriptions.connected()
        reason = nil
        restCause = nil
        cache.connectionIsReady()
        subscribeAndRead(present)
        if let quiet = plan.quiet { actions.append(.schedule(.quiet, after: quiet)) }
        if commands > 0 { actions.append(.executeCommands) }
        skipAbsent()
    }

    // MARK: Values

    /// Subscribes to the named characteristics with a configured subscription, and reads the named ones that are due.
    private mutating func subscribeAndRead(_ names: Set<String>) {
        for name in plan.subscribed where names.contains(name) { actions.append(.subscribe(name)) }
        for name in dueNow where names.contains(name) { actions.append(.read(name)) }
    }

    private mutating func obtained(_ name: String, isNotification: Bool) {
        if isNotification {
            if let quiet = plan.quiet, phase == .ready { actions.append(.schedule(.quiet, after: quiet)) }
        } else {
            readEnded(name)
        }
        cache.obtained(name)
        skip(name)
    }

    /// Clears the cache of the services, once per characteristic: if the next access fails too, the cache is not the
    /// cause.
    private mutating func staleServices(_ name: String) {
        guard phase == .ready else { return }
        guard cache.becameStale(name) else {
            readEnded(name)
            return skip(name)
        }
        enter(.ending)
        actions += [.cancel(.quiet), .clearCache]
    }

    private mutating func readEnded(_ name: String) {
        guard readLater(name) else { return }
        dueReads.remove(name)
    }

    /// Schedules the next periodic read.
    ///
    /// A failed read stays due for the next connection: bluetoothd may report the failure before the end of the
    /// connection.
    ///
    /// - Returns: whether the characteristic is read periodically.
    @discardableResult
    private mutating func readLater(_ name: String) -> Bool {
        guard case .every(let interval)? = plan.reads.first(where: { $0.name == name })?.policy else { return false }
        actions.append(.schedule(.read(name), after: interval))
        return true
    }

    /// Tries again after 2 s; after the third failure on one connection, connects again.
    private mutating func subscribeFailed(_ name: String, isFinal: Bool, _ reason: String) {
        if isFinal { return skip(name) }
        switch subscriptions.failed(name, because: reason) {
        case .tryAgain: actions.append(.schedule(.subscribe(name), after: .seconds(2)))
        case .connectAgain(let isNew):
            if isNew { actions.append(.reportSubscription(name, reason: reason)) }
            fail(subscriptions.problem ?? reason)
            end()
        }
    }

    // MARK: Collecting

    private mutating func becomeDue() {
        guard case .every(let interval) = plan.connect else { return }
        actions.append(.schedule(.due, after: interval))
        if !isKeptAway { collect() }
    }

    private mutating func collect() {
        guard isStarted, isBluetoothOn, missing == nil else { return }
        retryNow()
        let wanted = plan.until ?? Set(plan.subscribed + dueNow)
        missing = wanted
        if isWaitingForSlot { return }
        actions.append(.schedule(.within, after: plan.within))
        guard phase == .ready else { return }
        for name in wanted.sorted() where !plan.subscribed.contains(name) { actions.append(.read(name)) }
        skipAbsent()
    }

    /// - Parameter cause: why the session ends early; nil if it is complete or its time is over.
    private mutating func finishCollecting(because cause: String? = nil) {
        guard let missing else { return }
        self.missing = nil
        actions += [.cancel(.within), .collected(missing: missing, brokenOff: cause)]
    }

    /// Removes a characteristic from the collecting session, which ends if no other value is missing.
    private mutating func skip(_ name: String) {
        guard missing?.remove(name) != nil else { return }
        if missing?.isEmpty == true { finishCollecting() }
    }

    /// Removes the characteristics that the device lacks from the collecting session.
    private mutating func skipAbsent() {
        for name in missing ?? [] where !isPresent(name) { skip(name) }
        if missing?.isEmpty == true { finishCollecting() }
    }

    // MARK: Commands

    private mutating func commandQueued() {
        commands += 1
        endDismissal()
        isHolding = false
        actions.append(.cancel(.hold))
        if phase == .ready { actions.append(.executeCommands) }
    }

    private mutating func commandFinished() {
        commands -= 1
        guard commands == 0 && phase == .ready && plan.connect != .always else { return }
        isHolding = true
        actions.append(.schedule(.hold, after: plan.hold))
    }

    private mutating func endDismissal() {
        if isKeptAway { dismissal = .untilSought }
        actions.append(.cancel(.pause))
        retryNow()
    }

    private mutating func dismiss(for pause: Duration?) {
        // A device with periodic sessions is connected again at its next session.
        dismissal = pause != nil ? .paused : plan.connect == .always ? .untilWanted : .untilSought
        isHolding = false
        reason = nil
        finishCollecting(because: "a disconnect was requested")
        actions.append(pause.map { .schedule(.pause, after: $0) } ?? .cancel(.pause))
    }

    // MARK: Bonding

    /// Continues after pairing: discovers the services, or repeats the accesses that were refused without a bond.
    private mutating func paired() {
        if phase == .pairing { return discover() }
        guard case .ready(let present) = state else { return }
        subscribeAndRead(bond.paired().intersection(present))
    }

    /// Schedules the next attempt with a delay of up to 600 s, because pairing usually depends on a user.
    private mutating func pairingFailed(_ reason: String) {
        fail(reason, longest: .seconds(600))
        end()
    }

    /// Removes a bond that was made without the configured passkey.
    private mutating func passkeyUnused(_ reason: String) {
        fail(reason, longest: .seconds(600))
        enter(.ending)
        actions += [.stopSeeking, .forgetBond]
    }

    private mutating func bondLost(_ reason: String) {
        guard mayRenewBond else { return fail(reason, longest: .seconds(600)) }
        actions.append(.stopSeeking)
        renewBond(reason)
    }

    private mutating func bondRefused(_ name: String) {
        if bond.tryAgain(name) { return subscribeAndRead([name]) }
        bond.refused(name)
        if mayRenewBond { renewBond("the bond is no longer valid") }
    }

    private mutating func renewBond(_ reason: String) {
        self.reason = reason
        bond.renew()
        enter(.ending)
        isHolding = false
        actions += [.cancel(.quiet), .cancel(.hold), .forgetBond]
    }

    // MARK: The end of a connection

    /// The reason that is published for a loss of the connection that the gateway has not caused.
    static let loss = "the link was lost"
    /// The reason for the end of all connections when bluetoothd ends.
    static let serviceEnd = "bluetoothd has stopped"

    /// The delay of the next attempt after a loss of the connection.
    ///
    /// The device must advertise again. A power-off of the adapter ends the connections first and must be complete:
    /// connecting during a power-off has crashed Linux 6.1 (list_debug.c:56).
    private static let delayAfterLoss = Duration.milliseconds(500)

    private mutating func connectionLost(_ cause: String) {
        switch state {
        case .pairing, .discovering, .ready:
            confirmBond()
            enter(.idle)
            reason = cause
            isWaitingToRetry = true
            actions += [.cancel(.quiet), .schedule(.retry, after: Self.delayAfterLoss)]
        case .idle, .seeking, .connecting, .ending:
            break
        }
    }

    /// Schedules the next attempt, with a delay that doubles with each failure from 1 s up to `longest`.
    private mutating func fail(_ reason: String, longest: Duration = .seconds(60)) {
        self.reason = reason
        attempts += 1
        if phase == .connecting {
            enter(.idle)
            actions.append(.stopSeeking)
        }
        isWaitingToRetry = true
        let delay = Backoff.delay(first: .seconds(1), longest: longest, afterFailures: attempts - 1)
        actions.append(.schedule(.retry, after: delay))
    }

    private mutating func retryNow() {
        guard isWaitingToRetry else { return }
        isWaitingToRetry = false
        actions.append(.cancel(.retry))
    }

    private mutating func end() {
        confirmBond()
        enter(.ending)
        isHolding = false
        actions += [.stopSeeking, .cancel(.quiet), .cancel(.hold), .end]
    }

    /// Confirms the bond at the end of a connection without a refused access.
    private mutating func confirmBond() {
        if phase == .ready { bond.confirm() }
    }

    /// Disconnects in favour of other devices, and then waits for a slot again.
    private mutating func rest(because cause: String) {
        restCause = cause
        end()
    }

    /// Ends the collecting session, and with `connect: always` the connection, after the time `quiet` without a
    /// notification.
    private mutating func becomeQuiet() {
        guard phase == .ready, let quiet = plan.quiet else { return }
        // A command may cause notifications: the time starts again.
        if commands > 0 { return actions.append(.schedule(.quiet, after: quiet)) }
        isHolding = false
        finishCollecting(because: "no notification for \(quiet.text)")
        guard plan.connect == .always else { return }
        restCause = "no notification for \(quiet.text)"
        isWaitingToRetry = true
        actions.append(.schedule(.retry, after: quiet))
        end()
    }
}
