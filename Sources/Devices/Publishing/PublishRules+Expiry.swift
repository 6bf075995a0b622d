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

/// The rule for the time after which a reading of a characteristic expires.
///
/// It has only the parts of the configuration that it needs: it is used for each value.
package struct ExpiryRule: Sendable {
    private let rules: Configuration.PublishRules
    /// Whether readings expire at all.
    private let isLimited: Bool
    /// The configured interval of the readings; nil: it is learned.
    private let interval: Duration?

    package init(_ characteristic: Configuration.Characteristic, _ settings: Configuration.DeviceSettings) {
        rules = characteristic.publish
        isLimited = characteristic.retain && !settings.isOccasional
        if case .every(let interval) = settings.connect {
            self.interval = interval
        } else if case .every(let interval)? = characteristic.read, !characteristic.subscribe {
            self.interval = interval
        } else {
            interval = nil
        }
    }

    /// Returns the time after which a reading of now expires; nil: never.
    package func expiry(_ rhythm: Rhythm) -> Duration? {
        isLimited ? rules.expiry(ofWhatComesEvery: interval ?? rhythm.interval) : nil
    }
}
