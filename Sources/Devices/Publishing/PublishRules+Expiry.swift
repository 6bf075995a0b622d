package import Configuration
import System

extension Configuration.PublishRules {
    /// Returns the time after which the broker drops an outdated retained reading (MQTT 5 only).
    ///
    /// - Parameter interval: the time between two readings; nil if it is not known.
    /// - Returns: Whole seconds; nil if the time until the next reading is not limited, as for a door sensor.
    package func expiry(ofWhatComesEvery interval: Duration?) -> Duration? {
        publishingInterval(interval).map { interval in
            // Two readings may be lost, and there is time to restore a lost connection.
            let expiry = interval * 3 + Rhythm.minimumTolerance
            // Rounded up to seconds, the unit in MQTT: smaller variations of a learned interval do not change the
            // message.
            return .seconds((expiry.nanoseconds + 999_999_999) / 1_000_000_000)
        }
    }

    /// Returns the time between two published readings; nil if it is not limited.
    private func publishingInterval(_ interval: Duration?) -> Duration? {
        if let atLeastEvery { return atLeastEvery }
        guard !onChange, deadband == nil, let interval else { return nil }
        return max(interval, atMostEvery ?? interval)
    }
}
