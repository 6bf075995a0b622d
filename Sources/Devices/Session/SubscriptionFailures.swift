/// The failed subscriptions of a session.
package struct SubscriptionFailures: Sendable {
    /// The next step after a failure.
    package enum Verdict: Equatable {
        case tryAgain
        /// End this connection; `isNew` is false if the characteristic failed in the same way on an earlier connection.
        case connectAgain(isNew: Bool)
    }

    /// The number of failures on one connection after which another connection is made.
    private static let limit = 3

    /// The number of failures on this connection, by characteristic.
    private var counts: [String: Int] = [:]
    /// The characteristics that reached the limit and have not been subscribed since, with the reason.
    private var reasons: [String: String] = [:]

    /// Why values are missing: a subscription that has failed repeatedly; nil if there is none.
    package var problem: String? {
        reasons.min { $0.key < $1.key }.map { "cannot subscribe to \($0.key): \($0.value)" }
    }

    /// Counts from zero on a new connection.
    package mutating func connected() {
        counts = [:]
    }

    package mutating func succeeded(_ name: String) {
        counts[name] = nil
        reasons[name] = nil
    }

    package mutating func failed(_ name: String, because reason: String) -> Verdict {
        counts[name, default: 0] += 1
        guard counts[name, default: 0] >= Self.limit else { return .tryAgain }
        return .connectAgain(isNew: reasons.updateValue(reason, forKey: name) == nil)
    }
}
