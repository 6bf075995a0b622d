/// The delays between attempts: each delay is twice the previous delay, up to `longest`.
package struct Backoff: Hashable, Sendable {
    /// The first delay.
    package let first: Duration
    /// The longest delay.
    package let longest: Duration
    private var next: Duration

    /// - Parameters:
    ///   - first: The first delay, greater than zero.
    ///   - longest: The longest delay, at least `first`.
    package init(first: Duration, longest: Duration) {
        precondition(first > .zero && first <= longest, "the first delay must be positive and not exceed the longest")
        self.first = first
        self.longest = longest
        next = first
    }

    /// Returns the delay before the next attempt.
    package mutating func delay() -> Duration {
        defer { next = min(longest, next * 2) }
        return next
    }

    /// Returns a delay between half of the next delay and the whole of it, so that clients that failed at the same time
    /// retry at different times.
    ///
    /// - Parameter share: A random number from 0 (half of the delay) to 1 (the whole delay).
    /// - Returns: The delay.
    package mutating func delay(share: Double) -> Duration {
        let due = delay()
        return due / 2 + due / 2 * share
    }

    /// Makes the next delay the first one again, after a success.
    package mutating func reset() {
        next = first
    }

    /// Returns the delay after a number of consecutive failures, for callers that count failures themselves.
    ///
    /// - Parameters:
    ///   - first: The delay after no failure.
    ///   - longest: The longest delay.
    ///   - failures: The number of consecutive failures; each failure doubles the delay.
    /// - Returns: The delay.
    package static func delay(first: Duration, longest: Duration, afterFailures failures: Int) -> Duration {
        min(longest, first * (1 << min(max(0, failures), 30)))
    }
}
