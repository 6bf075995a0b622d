/// The requests to the gateway that are queued or under way; each gets one response.
struct PendingReplies {
    /// The kind of work that a request needs.
    enum Purpose {
        /// A change of the fleet, which runs after the earlier changes.
        case change
        /// Other work, which runs at once.
        case work
    }

    private var replies: [Int: (purpose: Purpose, address: ReplyAddress)] = [:]
    private var count = 0

    /// The maximum number of requests that are queued or under way.
    static let capacity = 64

    var isFull: Bool { replies.count >= Self.capacity }

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
