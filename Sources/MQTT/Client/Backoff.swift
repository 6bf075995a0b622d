/// How long to wait before the next attempt: each time twice as long, up to a bound, and never all clients at once.
package struct Backoff: Hashable, Sendable {
    /// A connection that lasts so long counts as a success.
    static let steady = Duration.seconds(10)

    /// The first delay.
    package let first: Duration
    /// The longest delay.
    package let longest: Duration
    private var next: Duration

    package init(first: Duration = .seconds(1), longest: Duration = .seconds(20)) {
        precondition(first > .zero && first <= longest, "delays are positive, and the first is the shortest")
        self.first = first
        self.longest = longest
        next = first
    }

    /// The delay before the next attempt, between half of what is due and all of it.
    ///
    /// - Parameter share: Which part of the free half to take, from 0 to 1: a random number.
    package mutating func delay(share: Double) -> Duration {
        defer { next = min(longest, next * 2) }
        return next / 2 + next / 2 * share
    }

    /// Begins anew, after a success.
    package mutating func reset() {
        next = first
    }
}
