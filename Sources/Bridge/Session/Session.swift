internal import BlueZ
internal import Configuration

/// The course of one device's links: when to look for it, connect, subscribe, read, and let it go.
///
/// A value without any input or output: events go in, what is to be done comes out.
struct Session: Sendable {
    enum Phase: Equatable, Sendable {
        /// No link, and nothing under way to make one.
        case idle
        /// Waiting for the device to be heard.
        case seeking
        case connecting
        /// The link is up, and a bond is being made.
        case pairing
        case discovering
        /// The link is up and of use.
        case ready
        /// Cancelling the subscriptions and the link.
        case ending
    }

    var phase = Phase.idle
    /// The failures in a row.
    var attempts = 0
    /// Why the device is not connected, where that was not on purpose.
    var reason: String?
    /// The characteristics that a collecting session still waits for; nil: none is under way.
    var missing: Set<String>?

    let plan: SessionPlan
    /// Whether the device is looked after.
    var isStarted = false
    var isBluetoothOn = false
    var demands = 0
    var isHolding = false
    /// Let go on request, until it is wanted again.
    var isLeftAlone = false
    /// Let go on request, until a timer ends that or a connection is requested.
    var isPaused = false
    var isWaitingToRetry = false
    /// All of the adapter's connections were in use when it was to connect.
    var hasToWait = false
    /// Others wait for our connection.
    var isRecalled = false
    /// Let go because it had nothing to say, or to give others a turn.
    var isResting = false
    var present: Set<String> = []
    /// What the device does not have, even after the cache was cleared for it.
    var absent: Set<String> = []
    /// The cache has been cleared since the link was last of use.
    var hasClearedCache = false
    /// Whether the bond was made anew, and has not yet proved to be good.
    var hasRenewedBond = false
    /// A value was refused for want of a bond on this link.
    var isBondInDoubt = false
    var dueReads: Set<String>
    var actions: [SessionAction] = []

    init(_ plan: SessionPlan) {
        self.plan = plan
        dueReads = Set(plan.reads.map(\.name))
    }

    /// Whether there is a reason to be connected.
    var wantsLink: Bool {
        guard isStarted && isBluetoothOn else { return false }
        if demands > 0 || missing != nil { return true }
        return !isLeftAlone && (plan.connect == .always || isHolding)
    }

    /// Whether not being connected is what was asked for.
    var isAsleep: Bool { isStarted && isBluetoothOn && reason == nil && (isResting || !wantsLink) }

    /// Whether it is to be connected when the adapter has a connection left.
    var isWaitingForSlot: Bool { phase == .connecting && hasToWait }

    /// Whether the next attempt is put off.
    var isWaiting: Bool { phase == .idle && wantsLink }

    /// How urgently the link is wanted.
    var priority: ConnectionPriority {
        if demands > 0 { return .command }
        return missing != nil ? .session : .background
    }

    var isPeriodic: Bool {
        if case .every(_) = plan.connect { true } else { false }
    }

    /// Takes an event in; gives what is to be done about it, in this order.
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
        case .connected: if phase == .connecting { linked() }
        case .connectFailed(let reason): if phase == .connecting { fail(reason) }
        case .bondLost(let reason): if phase == .connecting { bondLost(reason) }
        case .paired: if phase == .pairing { discover() }
        case .pairingFailed(let reason): if phase == .pairing { pairingFailed(reason) }
        case .bondRefused: if phase == .ready { bondRefused() }
        case .discovered(let present): if phase == .discovering { discovered(present) }
        case .discoveryFailed(let reason):
            if phase == .discovering {
                fail(reason)
                end()
            }
        case .subscribeFailed(let name, let isFinal): subscribeFailed(name, isFinal: isFinal)
        case .obtained(let name, let isNotification): obtained(name, isNotification: isNotification)
        // What fails because the link or the services went is still due.
        case .readFailed(let name): if phase == .ready { readEnded(name) }
        case .linkLost: linkLost()
        case .waitingForSlot: waitForSlot()
        case .slotGranted: slotGranted()
        case .slotRecalled: isRecalled = [.connecting, .discovering, .ready].contains(phase)
        case .servicesChanged: if phase == .ready { discover() }
        case .ended: if phase == .ending { phase = .idle }
        case .timerFired(let timer): fired(timer)
        case .demanded: demanded()
        case .demandEnded: demandEnded()
        case .collectRequested:
            wake()
            collect()
        case .letGo(let pause): letGo(pause)
        }
    }

    /// Goes where the reasons for a link lead.
    private mutating func advance() {
        switch phase {
        case .idle:
            guard wantsLink, !isWaitingToRetry else { return }
            phase = .seeking
            actions.append(.seek)
        case .seeking:
            guard !wantsLink else { return }
            phase = .idle
            actions.append(.stopSeeking)
        // A person may stand at the device with its passkey.
        case .pairing:
            if !wantsLink { end() }
        case .connecting, .discovering, .ready:
            if !wantsLink { end() } else if isRecalled && demands == 0 { makeRoom() }
        case .ending:
            break
        }
    }

    // MARK: The device is looked after, or not

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
        isBluetoothOn = isOn
        if isOn {
            reason = nil
            retryNow()
            if isPeriodic, missing == nil { becomeDue() }
        } else if phase != .idle {
            // Without an adapter there is no link to end, and nobody to ask.
            if phase == .seeking { actions.append(.stopSeeking) }
            phase = .idle
            finishCollecting()
        }
    }

    // MARK: The way to a link

    private mutating func connect() {
        phase = .connecting
        hasToWait = false
        isRecalled = false
        actions.append(.connect)
    }

    private mutating func waitForSlot() {
        guard phase == .connecting else { return }
        hasToWait = true
        // The time that others take is not the device's.
        if missing != nil { actions.append(.cancel(.within)) }
    }

    private mutating func slotGranted() {
        guard phase == .connecting else { return }
        hasToWait = false
        if missing != nil { actions.append(.schedule(.within, after: plan.within)) }
    }

    /// Lets others have their turn; it comes back when they have had it.
    private mutating func makeRoom() {
        isResting = true
        end()
    }

    mutating func discover() {
        phase = .discovering
        actions += [.stopSeeking, .discover]
    }

    /// Looks for what should be there before the device is taken as it is.
    ///
    /// bluetoothd may show the services of an older firmware: what it remembers is cleared once, and only what is
    /// missing then as well is missing.
    private mutating func discovered(_ present: Set<String>) {
        let missing = plan.characteristics.subtracting(present)
        let news = missing.subtracting(absent)
        if !news.isEmpty && !hasClearedCache {
            hasClearedCache = true
            phase = .ending
            actions.append(.clearCache)
            return
        }
        absent = missing
        if !news.isEmpty { actions.append(.reportMissing(news.sorted())) }
        becomeReady(present)
    }

    private mutating func becomeReady(_ present: Set<String>) {
        phase = .ready
        self.present = present
        attempts = 0
        reason = nil
        isResting = false
        hasClearedCache = false
        for name in plan.subscribed where present.contains(name) { actions.append(.subscribe(name)) }
        for name in readsAtOnce() where present.contains(name) { actions.append(.read(name)) }
        if let quiet = plan.quiet { actions.append(.schedule(.quiet, after: quiet)) }
        if demands > 0 { actions.append(.serve) }
        giveUpWhatIsNotPresent()
    }

    /// Keeps off for a moment, longer each time, and then looks for the device again.
    mutating func fail(_ reason: String, longest: Double = 60) {
        self.reason = reason
        attempts += 1
        if phase == .connecting {
            phase = .idle
            actions.append(.stopSeeking)
        }
        isWaitingToRetry = true
        let seconds = min(longest, 0.5 * Double(1 << min(attempts, 10)))
        actions.append(.schedule(.retry, after: .seconds(seconds)))
    }

    private mutating func retryNow() {
        guard isWaitingToRetry else { return }
        isWaitingToRetry = false
        actions.append(.cancel(.retry))
    }

    /// How long to wait after a lost link: until the news is complete (a power-off ends the links first, and to connect in
    /// the middle of one has brought Linux 6.1 down, list_debug.c:56) and the device advertises again.
    private static let breath = Duration.milliseconds(500)

    private mutating func linkLost() {
        switch phase {
        case .pairing, .discovering, .ready:
            bondHasProved()
            phase = .idle
            reason = "the link was lost"
            isWaitingToRetry = true
            actions += [.cancel(.quiet), .schedule(.retry, after: Self.breath)]
        case .idle, .seeking, .connecting, .ending:
            break
        }
    }

    mutating func end() {
        bondHasProved()
        phase = .ending
        isHolding = false
        actions += [.stopSeeking, .cancel(.quiet), .cancel(.hold), .end]
    }

    // MARK: Values

    /// What to read as soon as the link is of use.
    private func readsAtOnce() -> [String] {
        let subscribed = Set(plan.subscribed)
        var names = plan.reads.filter { $0.policy == .onConnect || dueReads.contains($0.name) }.map(\.name)
        // What a collecting session needs and no subscription will bring.
        for name in (missing ?? []).sorted() where !names.contains(name) && !subscribed.contains(name) {
            names.append(name)
        }
        return names
    }

    private mutating func obtained(_ name: String, isNotification: Bool) {
        if isNotification {
            if let quiet = plan.quiet, phase == .ready { actions.append(.schedule(.quiet, after: quiet)) }
        } else {
            readEnded(name)
        }
        giveUp(name)
    }

    /// The characteristic is no longer waited for.
    private mutating func giveUp(_ name: String) {
        guard missing?.remove(name) != nil else { return }
        if missing?.isEmpty == true { finishCollecting() }
    }

    /// What the device does not have will not come.
    private mutating func giveUpWhatIsNotPresent() {
        for name in missing ?? [] where !present.contains(name) { giveUp(name) }
        if missing?.isEmpty == true { finishCollecting() }
    }

    private mutating func readEnded(_ name: String) {
        guard case .every(let interval)? = plan.reads.first(where: { $0.name == name })?.policy else { return }
        dueReads.remove(name)
        actions.append(.schedule(.read(name), after: interval))
    }

    private mutating func subscribeFailed(_ name: String, isFinal: Bool) {
        guard phase == .ready else { return }
        if isFinal {
            giveUp(name)
        } else {
            actions.append(.schedule(.subscribe(name), after: .seconds(2)))
        }
    }

    // MARK: Collecting

    private mutating func becomeDue() {
        guard case .every(let interval) = plan.connect else { return }
        actions.append(.schedule(.due, after: interval))
        if !isLeftAlone { collect() }
    }

    private mutating func collect() {
        guard isStarted, isBluetoothOn, missing == nil else { return }
        retryNow()
        missing = plan.until ?? Set(plan.subscribed + readsAtOnce())
        if isWaitingForSlot { return }
        actions.append(.schedule(.within, after: plan.within))
        guard phase == .ready else { return }
        for name in (missing ?? []).sorted() where !plan.subscribed.contains(name) { actions.append(.read(name)) }
        giveUpWhatIsNotPresent()
    }

    private mutating func finishCollecting() {
        guard let missing else { return }
        self.missing = nil
        actions += [.cancel(.within), .collected(missing: missing)]
    }

    // MARK: Commands

    private mutating func demanded() {
        demands += 1
        wake()
        isHolding = false
        actions.append(.cancel(.hold))
        if phase == .ready { actions.append(.serve) }
    }

    private mutating func demandEnded() {
        demands -= 1
        if demands == 0 && phase == .ready && plan.connect != .always { hold() }
    }

    private mutating func hold() {
        isHolding = true
        actions.append(.schedule(.hold, after: plan.hold))
    }

    private mutating func wake() {
        isLeftAlone = false
        isPaused = false
        actions.append(.cancel(.pause))
        retryNow()
    }

    private mutating func letGo(_ pause: Duration?) {
        isPaused = pause != nil
        // The next session of one that is collected from now and then comes in its time.
        isLeftAlone = isPaused || plan.connect == .always
        isHolding = false
        reason = nil
        finishCollecting()
        if let pause { actions.append(.schedule(.pause, after: pause)) }
    }

    // MARK: Times

    private mutating func fired(_ timer: SessionTimer) {
        switch timer {
        case .due: becomeDue()
        case .within:
            if reason == nil && phase == .seeking { reason = "it was not heard" }
            finishCollecting()
        case .hold: isHolding = false
        case .retry: isWaitingToRetry = false
        case .pause: wake()
        case .quiet: silent()
        case .read(let name):
            dueReads.insert(name)
            if phase == .ready, present.contains(name) { actions.append(.read(name)) }
        case .subscribe(let name):
            if phase == .ready, present.contains(name) { actions.append(.subscribe(name)) }
        }
    }

    /// The device has had nothing to say for long enough.
    private mutating func silent() {
        guard phase == .ready, demands == 0, let quiet = plan.quiet else { return }
        isHolding = false
        finishCollecting()
        guard plan.connect == .always else { return }
        isResting = true
        isWaitingToRetry = true
        actions.append(.schedule(.retry, after: quiet))
        end()
    }
}
