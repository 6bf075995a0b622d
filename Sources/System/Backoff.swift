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
        precondition(first > .zero && first <= longest, "delays are positive, and the first is the shortest")
        self.first = first
        self.longest = longest
        next = first
    }

    /// Returns the delay before the next attempt.
    package mutating func delay() -> Duration {
        defer { next = min(longest, next * 2) }
        return next
    }

    /// Returns a delay between half of the next one and all of it, so that clients that failed together retry apart.
    ///
    /// - Parameter share: The part of the variable half, from 0 to 1: a random number.
    /// - Returns: The delay.
    package mutating func delay(share: Double) -> Duration {
        let due = delay()
        return due / 2 + due / 2 * share
    }

    /// Starts again with the first delay, after a success.
    package mutating func reset() {
        next = first
    }

    /// Returns the delay after `failures` failures in a row, for callers that count them anyway.
    ///
    /// - Parameters:
    ///   - first: The delay after no failure.
    ///   - longest: The longest delay.
    ///   - failures: The number of failures in a row; each doubles the delay.
    /// - Returns: The delay.
    package static func delay(first: Duration, longest: Duration, afterFailures failures: Int) -> Duration {
        min(longest, first * (1 << min(max(0, failures), 30)))
    }
}
