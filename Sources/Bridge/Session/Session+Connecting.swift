/// The way to a link of use.
extension Session {
    mutating func connect() {
        phase = .connecting
        hasToWait = false
        isRecalled = false
        actions.append(.connect)
    }

    mutating func waitForSlot() {
        guard phase == .connecting else { return }
        hasToWait = true
        // The time that others take is not the device's.
        if missing != nil { actions.append(.cancel(.within)) }
    }

    mutating func slotGranted() {
        if phase == .connecting { waitEnded() }
    }

    /// From now on the time is the device's again: it has a slot, or the attempt is over, whoever had to give it one.
    mutating func waitEnded() {
        guard hasToWait else { return }
        hasToWait = false
        if missing != nil { actions.append(.schedule(.within, after: plan.within)) }
    }

    mutating func discover() {
        phase = .discovering
        isDiscoveryOutdated = false
        actions += [.stopSeeking, .discover]
    }

    /// Looks for what should be there before the device is taken as it is.
    ///
    /// bluetoothd may show the services of an older firmware: what it remembers is cleared once, and only what is
    /// missing then as well is missing.
    mutating func discovered(_ present: Set<String>) {
        if isDiscoveryOutdated { return discover() }
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

    mutating func discoveryFailed(_ reason: String) {
        if isDiscoveryOutdated { return discover() }
        fail(reason)
        end()
    }

    /// What is under way then ends first: it may have found the old ones.
    mutating func servicesChanged() {
        switch phase {
        case .ready: discover()
        case .discovering: isDiscoveryOutdated = true
        case .idle, .seeking, .connecting, .pairing, .ending: break
        }
    }

    mutating func becomeReady(_ present: Set<String>) {
        phase = .ready
        self.present = present
        attempts = 0
        reason = nil
        isResting = false
        hasClearedCache = false
        take(present)
        if let quiet = plan.quiet { actions.append(.schedule(.quiet, after: quiet)) }
        if demands > 0 { actions.append(.serve) }
        giveUpWhatIsNotPresent()
    }
}
