internal import EventLoop

/// Notices a scan that has died, and says what to do about it: bluetoothd goes on saying that it scans, and nothing is
/// heard any more (bluez issues 367, 572, 1126, 1554).
///
/// A value without any input or output. There are places where nothing is to be heard: each round of repairs that
/// changes nothing makes the next one later.
struct ScanWatchdog {
    private let silence: Duration
    private let longestSilence: Duration
    private var lastSign: Instant
    /// How many repairs have changed nothing.
    private var failures = 0

    /// - Parameter silence: how long nothing may be heard; each round doubles it, up to an hour.
    init(silence: Duration, at now: Instant) {
        self.silence = silence
        longestSilence = max(silence, .seconds(3600))
        lastSign = now
    }

    /// When to check again.
    var nextCheck: Instant {
        // A round is a restart and a power cycle.
        let rounds = min(failures / 2, 16)
        return lastSign + min(silence * (1 << rounds), longestSilence)
    }

    /// The scan begins, or begins again: it has as long as ever to hear something.
    mutating func resume(at now: Instant) {
        lastSign = now
    }

    /// A device was heard.
    mutating func heard(at now: Instant) {
        lastSign = now
        failures = 0
    }

    /// What is to be done; nil: nothing, for now.
    ///
    /// - Parameter isInUse: whether the adapter has links, which a power cycle would end; they also show that it works.
    mutating func check(at now: Instant, isInUse: Bool) -> Repair? {
        guard now >= nextCheck else { return nil }
        lastSign = now
        failures += 1
        return failures % 2 == 0 && !isInUse ? .powerCycle : .restartScan
    }
}
