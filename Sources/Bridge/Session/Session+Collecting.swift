internal import Configuration

/// Sessions that end when they have one value of everything.
extension Session {
    mutating func becomeDue() {
        guard case .every(let interval) = plan.connect else { return }
        actions.append(.schedule(.due, after: interval))
        if !isLeftAlone { collect() }
    }

    mutating func collect() {
        guard isStarted, isBluetoothOn, missing == nil else { return }
        retryNow()
        missing = plan.until ?? Set(plan.subscribed + readsAtOnce())
        if isWaitingForSlot { return }
        actions.append(.schedule(.within, after: plan.within))
        guard phase == .ready else { return }
        for name in (missing ?? []).sorted() where !plan.subscribed.contains(name) { actions.append(.read(name)) }
        giveUpWhatIsNotPresent()
    }

    /// - Parameter cause: why it ends before its time.
    mutating func finishCollecting(because cause: String? = nil) {
        guard let missing else { return }
        self.missing = nil
        actions += [.cancel(.within), .collected(missing: missing, brokenOff: cause)]
    }
}
