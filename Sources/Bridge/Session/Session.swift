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
    /// The characteristics that a collecting session still waits for; nil: none is under way.
    var missing: Set<String>?
    /// The characteristics for which the cache was cleared in vain.
    var stale: Set<String> = []
    var actions: [SessionAction] = []

    let plan: SessionPlan
    /// The failures in a row.
    var attempts = 0
    /// Why the device is not connected, where that was not on purpose.
    var reason: String?
    /// Whether the device is looked after.
    var isStarted = false
    var isBluetoothOn = false
    var demands = 0
    var isHolding = false
    /// Let go on request, until it is looked for again.
    var isLetGo = false
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
    /// The services have changed since the present discovery found them.
    var isDiscoveryOutdated = false
    /// What the device does not have, even after the cache was cleared for it.
    var absent: Set<String> = []
    /// The cache has been cleared since the link was last of use.
    var hasClearedCache = false
    /// Whether the bond was made anew, and has not yet proved to be good.
    var hasRenewedBond = false
    /// What was refused for want of a bond on this link.
    var refused: Set<String> = []
    /// What was tried again with the bond that was made on this link; nil: none was made on it.
    var retried: Set<String>?
    var dueReads: Set<String>

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

    /// Whether not being connected is what was asked for. One that has rested and is looked for again may have gone
    /// meanwhile.
    var isAsleep: Bool {
        isStarted && isBluetoothOn && reason == nil && (!wantsLink || isResting && phase != .seeking)
    }

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
        if phase != .connecting { waitEnded() }
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
        case .connected: if phase == .connecting { linked() }
        case .connectFailed(let reason): if phase == .connecting { fail(reason) }
        case .bondLost(let reason): if phase == .connecting { bondLost(reason) }
        case .paired: paired()
        case .pairingFailed(let reason): if phase == .pairing { pairingFailed(reason) }
        case .bondRefused(let name): if phase == .ready { bondRefused(name) }
        case .discovered(let present): if phase == .discovering { discovered(present) }
        case .discoveryFailed(let reason): if phase == .discovering { discoveryFailed(reason) }
        case .subscribeFailed(let name, let isFinal): subscribeFailed(name, isFinal: isFinal)
        case .obtained(let name, let isNotification): obtained(name, isNotification: isNotification)
        case .readFailed(let name): if phase == .ready { readLater(name) }
        case .staleServices(let name): staleServices(name)
        case .linkLost: linkLost()
        case .linkStuck(let reason):
            if phase == .ready {
                fail(reason)
                end()
            }
        case .lossExplained(let cause): if reason == Self.loss { reason = "\(Self.loss): \(cause)" }
        case .waitingForSlot: waitForSlot()
        case .slotGranted: slotGranted()
        case .slotRecalled: isRecalled = [.connecting, .pairing, .discovering, .ready].contains(phase)
        case .servicesChanged: servicesChanged()
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
            isLetGo = false
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
        let wasOn = isBluetoothOn
        isBluetoothOn = isOn
        if isOn {
            // Be it that there is one more adapter, which may reach it.
            retryNow()
            guard !wasOn else { return }
            reason = nil
            if isPeriodic, missing == nil { becomeDue() }
        } else if phase != .idle {
            // Without an adapter there is no link to end, and nobody to ask.
            if phase == .seeking || phase == .connecting { actions.append(.stopSeeking) }
            phase = .idle
            finishCollecting(because: "Bluetooth is not available")
        }
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
}
