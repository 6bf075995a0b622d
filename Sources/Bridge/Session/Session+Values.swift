internal import Configuration

/// What is subscribed to and read.
extension Session {
    /// Subscribes to what is to be subscribed to of these characteristics, and reads what is to be read at once.
    mutating func take(_ names: Set<String>) {
        for name in plan.subscribed where names.contains(name) { actions.append(.subscribe(name)) }
        for name in readsAtOnce() where names.contains(name) { actions.append(.read(name)) }
    }

    /// What to read as soon as the link is of use.
    func readsAtOnce() -> [String] {
        let subscribed = Set(plan.subscribed)
        var names = plan.reads.filter { $0.policy == .onConnect || dueReads.contains($0.name) }.map(\.name)
        // What a collecting session needs and no subscription will bring.
        for name in (missing ?? []).sorted() where !names.contains(name) && !subscribed.contains(name) {
            names.append(name)
        }
        return names
    }

    mutating func obtained(_ name: String, isNotification: Bool) {
        if isNotification {
            if let quiet = plan.quiet, phase == .ready { actions.append(.schedule(.quiet, after: quiet)) }
        } else {
            readEnded(name)
        }
        stale.remove(name)
        giveUp(name)
    }

    /// Whether values that come by themselves are all the same to it.
    var expectsNothing: Bool {
        phase == .ready && plan.quiet == nil && missing == nil && stale.isEmpty && actions.isEmpty
    }

    /// Makes bluetoothd look anew, once for each characteristic: after that it is the device that is wrong.
    mutating func staleServices(_ name: String) {
        guard phase == .ready else { return }
        guard stale.insert(name).inserted else {
            readEnded(name)
            return giveUp(name)
        }
        phase = .ending
        actions += [.cancel(.quiet), .clearCache]
    }

    /// The characteristic is no longer waited for.
    mutating func giveUp(_ name: String) {
        guard missing?.remove(name) != nil else { return }
        if missing?.isEmpty == true { finishCollecting() }
    }

    /// What the device does not have will not come.
    mutating func giveUpWhatIsNotPresent() {
        for name in missing ?? [] where !present.contains(name) { giveUp(name) }
        if missing?.isEmpty == true { finishCollecting() }
    }

    mutating func readEnded(_ name: String) {
        guard readLater(name) else { return }
        dueReads.remove(name)
    }

    /// Reads it when its time has come again: what failed also with the next link, if that comes before. (bluetoothd may
    /// tell that a read failed before it tells that the link is down.)
    ///
    /// - Returns: whether it has such a time.
    @discardableResult
    mutating func readLater(_ name: String) -> Bool {
        guard case .every(let interval)? = plan.reads.first(where: { $0.name == name })?.policy else { return false }
        actions.append(.schedule(.read(name), after: interval))
        return true
    }

    mutating func subscribeFailed(_ name: String, isFinal: Bool) {
        guard phase == .ready else { return }
        if isFinal {
            giveUp(name)
        } else {
            actions.append(.schedule(.subscribe(name), after: .seconds(2)))
        }
    }
}
