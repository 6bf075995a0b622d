import EventLoop
import System

/// Detects a dead scan, and decides about the repair.
///
/// A scan is dead if bluetoothd reports that it scans, but no more advertisements arrive (bluez issues 367, 572, 1126,
/// 1554).
///
/// A value without I/O. In some places there are no devices at all, so repairs without effect delay the next repair.
struct ScanWatchdog {
    private let silence: Duration
    private let longestSilence: Duration
    private var lastSign: Instant
    /// The number of repairs without effect.
    private var failures = 0

    /// - Parameters:
    ///   - silence: The longest time without an advertisement; it doubles with each round, up to an hour.
    ///   - now: The present time.
    init(silence: Duration, at now: Instant) {
        self.silence = silence
        longestSilence = max(silence, .seconds(3600))
        lastSign = now
    }

    /// The time of the next check.
    var nextCheck: Instant {
        // A round consists of a restart of the scan and a power cycle.
        return lastSign + Backoff.delay(first: silence, longest: longestSilence, afterFailures: failures / 2)
    }

    /// Restarts the measurement of the silence, because the scan starts or restarts.
    mutating func resume(at now: Instant) {
        lastSign = now
    }

    /// Notes that a device was seen.
    mutating func seen(at now: Instant) {
        lastSign = now
        failures = 0
    }

    /// Returns the repair that is due; nil: none.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - isInUse: Whether the adapter has connections. A power cycle would end them, and they show that the adapter
    ///     works.
    /// - Returns: The repair: a restart of the scan, or every second time a power cycle if the adapter is not in use.
    mutating func check(at now: Instant, isInUse: Bool) -> Repair? {
        guard now >= nextCheck else { return nil }
        lastSign = now
        failures += 1
        return failures % 2 == 0 && !isInUse ? .powerCycle : .restartScan
    }
}
