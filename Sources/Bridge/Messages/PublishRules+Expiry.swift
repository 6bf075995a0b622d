import Configuration
import EventLoop
import System

extension Configuration.PublishRules {
    /// Returns the time after which a retained reading expires, so that an old reading never looks new (MQTT 5 only).
    ///
    /// - Parameter interval: the time between two readings; nil if it is not known.
    /// - Returns: Whole seconds; nil if the next reading may take any time, for example that of a door that stays closed.
    func expiry(ofWhatComesEvery interval: Duration?) -> Duration? {
        publishingInterval(interval).map { interval in
            // Two readings may be lost, and a lost connection has time to come back.
            let expiry = interval * 3 + Rhythm.minimumTolerance
            // Whole seconds, as in the message: a learned interval that varies by less does not make messages differ.
            return .seconds((expiry.nanoseconds + 999_999_999) / 1_000_000_000)
        }
    }

    /// Returns the time between two published readings.
    private func publishingInterval(_ interval: Duration?) -> Duration? {
        if let atLeastEvery { return atLeastEvery }
        guard !onChange, deadband == nil, let interval else { return nil }
        return max(interval, atMostEvery ?? interval)
    }
}

extension Configuration.Characteristic {
    /// Returns the time after which a reading of the characteristic expires; nil: never.
    func expiry(_ connect: Configuration.ConnectPolicy, _ rhythm: Rhythm) -> Duration? {
        retain ? publish.expiry(ofWhatComesEvery: arrivalInterval(connect, rhythm)) : nil
    }

    private func arrivalInterval(_ connect: Configuration.ConnectPolicy, _ rhythm: Rhythm) -> Duration? {
        if case .every(let interval) = connect { return interval }
        if case .every(let interval)? = read, !subscribe { return interval }
        return rhythm.interval
    }
}
