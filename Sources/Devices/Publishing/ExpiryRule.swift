package import Configuration
import System

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
