/// The requests to the gateway that are being carried out, each of which is answered once.
struct PendingReplies {
    /// What a request is for.
    enum Purpose {
        /// A change of the fleet, which waits for those before it.
        case change
        /// Something that is done beside everything else.
        case work
    }

    private var replies: [Int: (purpose: Purpose, address: ReplyAddress)] = [:]
    private var count = 0

    /// So many may be under way at a time.
    static let capacity = 64

    var isFull: Bool { replies.count >= Self.capacity }

    mutating func add(_ reply: ReplyAddress, for purpose: Purpose) -> Int {
        count += 1
        replies[count] = (purpose, reply)
        return count
    }

    /// Where the answer goes; nil when there was one already.
    mutating func take(_ number: Int) -> ReplyAddress? {
        replies.removeValue(forKey: number)?.address
    }

    /// Where all answers go that are still due for these purposes.
    mutating func takeAll(for purposes: [Purpose]) -> [ReplyAddress] {
        let numbers = replies.filter { purposes.contains($0.value.purpose) }.keys.sorted()
        return numbers.compactMap { take($0) }
    }
}
