internal import Configuration

extension Channel {
    /// After what time a retained reading is no longer worth keeping, so that it never looks fresh (MQTT 5 only);
    /// nil where its successor may be long in coming, as that of a door is that nobody opens.
    func expiry(_ connect: Configuration.ConnectPolicy) -> Duration? {
        guard configuration.retain, let interval = publishingInterval(connect) else { return nil }
        // Two may be lost on the way, and there is some time for a lost link to come back.
        return interval * 3 + Rhythm.leastPatience
    }

    /// How long it takes from one reading to the next, as they are published.
    private func publishingInterval(_ connect: Configuration.ConnectPolicy) -> Duration? {
        let rules = configuration.publish
        if let interval = rules.atLeastEvery { return interval }
        if rules.onChange || rules.deadband != nil { return nil }
        guard let interval = arrivalInterval(connect) else { return nil }
        return max(interval, rules.atMostEvery ?? interval)
    }

    private func arrivalInterval(_ connect: Configuration.ConnectPolicy) -> Duration? {
        if case .every(let interval) = connect { return interval }
        if case .every(let interval)? = configuration.read, !configuration.subscribe { return interval }
        return rhythm.interval
    }
}
