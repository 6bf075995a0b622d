/// The requests to the gateway that are queued or under way; each gets one response.
///
/// Each kind of work has its own places, so that requests that last long never lock out the others.
struct PendingReplies {
    /// The kind of work that a request needs.
    enum Purpose: CaseIterable {
        /// A change of the fleet, which runs after the earlier changes.
        case change
        /// A new configuration, which is a change too.
        case reload
        /// A scan, for up to ten minutes.
        case scan
        /// Work that connects to a peripheral.
        case connection
        /// A response of up to megabytes; the place is free when the broker has accepted the response.
        case large
        /// Work of milliseconds.
        case quick

        /// The kinds of work that are not changes of the fleet.
        static var work: [Purpose] { allCases.filter { $0 != .change && $0 != .reload } }

        /// The maximum number of requests that are queued or under way.
        var places: Int {
            switch self {
            case .change, .quick: 64
            case .reload, .scan, .connection: 16
            case .large: 1
            }
        }
    }

    private var replies: [Int: (purpose: Purpose, address: ReplyAddress)] = [:]
    private var count = 0

    /// Whether all places of a kind are taken.
    func isFull(_ purpose: Purpose) -> Bool {
        replies.values.count { $0.purpose == purpose } >= purpose.places
    }

    mutating func add(_ reply: ReplyAddress, for purpose: Purpose) -> Int {
        count += 1
        replies[count] = (purpose, reply)
        return count
    }

    /// Removes and returns the reply address of a request; nil if the request was answered.
    mutating func take(_ number: Int) -> ReplyAddress? {
        replies.removeValue(forKey: number)?.address
    }

    /// Removes and returns the reply addresses of all requests with these purposes, in order.
    mutating func takeAll(for purposes: [Purpose]) -> [ReplyAddress] {
        let numbers = replies.filter { purposes.contains($0.value.purpose) }.keys.sorted()
        return numbers.compactMap { take($0) }
    }
}
