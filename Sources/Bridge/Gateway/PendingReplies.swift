/// The requests to the gateway that are being carried out, each of which is answered once.
struct PendingReplies {
    private var replies: [Int: ReplyAddress] = [:]
    private var count = 0

    /// So many may be under way at a time.
    static let capacity = 64

    var isFull: Bool { replies.count >= Self.capacity }

    mutating func add(_ reply: ReplyAddress) -> Int {
        count += 1
        replies[count] = reply
        return count
    }

    /// Where the answer goes; nil when there was one already.
    mutating func take(_ number: Int) -> ReplyAddress? {
        replies.removeValue(forKey: number)
    }

    /// Where all answers go that are still due.
    mutating func takeAll() -> [ReplyAddress] {
        let all = replies.sorted { $0.key < $1.key }.map(\.value)
        replies = [:]
        return all
    }
}
