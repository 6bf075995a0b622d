internal import Configuration
internal import EventLoop

extension Configuration.PublishRules {
    /// After what time a retained reading is no longer worth keeping, so that it never looks fresh (MQTT 5 only);
    /// nil where its successor may be long in coming, as that of a door is that nobody opens.
    ///
    /// - Parameter interval: how long it takes from one reading to the next; nil where that is not known.
    func expiry(ofWhatComesEvery interval: Duration?) -> Duration? {
        publishingInterval(interval).map { interval in
            // Two may be lost on the way, and there is some time for a lost link to come back.
            let expiry = interval * 3 + Rhythm.leastPatience
            // Whole seconds, as on the wire: what a rhythm that is merely learned adds does not make messages differ.
            return .seconds((expiry.nanoseconds + 999_999_999) / 1_000_000_000)
        }
    }

    /// How long it takes from one reading to the next, as they are published.
    private func publishingInterval(_ interval: Duration?) -> Duration? {
        if let atLeastEvery { return atLeastEvery }
        guard !onChange, deadband == nil, let interval else { return nil }
        return max(interval, atMostEvery ?? interval)
    }
}

extension Configuration.Characteristic {
    /// After what time a reading of it is no longer worth keeping.
    func expiry(_ connect: Configuration.ConnectPolicy, _ rhythm: Rhythm) -> Duration? {
        retain ? publish.expiry(ofWhatComesEvery: arrivalInterval(connect, rhythm)) : nil
    }

    private func arrivalInterval(_ connect: Configuration.ConnectPolicy, _ rhythm: Rhythm) -> Duration? {
        if case .every(let interval) = connect { return interval }
        if case .every(let interval)? = read, !subscribe { return interval }
        return rhythm.interval
    }
}
