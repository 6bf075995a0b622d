package import System

/// Limits how often something happens: some times at once, then once per interval.
package struct RateLimit {
    /// The adoption of devices: a sender can invent hundreds of addresses per second.
    package static var adoptions: RateLimit { RateLimit(burst: 60, interval: .seconds(2)) }
    /// Requests to load the configuration file again: each one reads the file and writes to the log.
    package static var reloads: RateLimit { RateLimit(burst: 10, interval: .seconds(1)) }
    /// Lines of the log about failed requests.
    package static var failures: RateLimit { RateLimit(burst: 60, interval: .seconds(10)) }

    /// The number of times at once.
    package let burst: Int
    /// The interval after which one more time is possible.
    package let interval: Duration
    /// When everything that was admitted will have been paid for, with one interval each; nil: nothing was admitted.
    private var debtEnd: Instant?

    package init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }

    /// Counts one more time if it is possible now.
    ///
    /// - Returns: Whether it is possible.
    package mutating func admit(at now: Instant) -> Bool {
        let begin = max(debtEnd ?? now, now)
        guard begin - now <= interval * (burst - 1) else { return false }
        debtEnd = begin + interval
        return true
    }
}
