import Spool

/// The stored messages that the broker has accepted, and that the disk does not remove: they are not sent again.
///
/// The numbers of the records rise in the order in which they are sent, so that the last number is enough.
struct SentRecords {
    private var last: [String: Int64] = [:]

    /// The number of the last record of a broker that was accepted, and that is still on the disk; nil if there is none.
    func last(of broker: String) -> Int64? { last[broker] }

    /// The removal of accepted records has failed.
    ///
    /// - Parameters:
    ///   - accepted: the numbers of the records.
    ///   - broker: the broker that has accepted them.
    ///   - pending: the numbers of the records that the broker has not accepted yet: these and later ones are sent again.
    mutating func add(_ accepted: [Int64], of broker: String, before pending: Set<Int64>) {
        let limit = pending.min() ?? .max
        if let new = accepted.filter({ $0 < limit }).max() { last[broker] = max(new, last[broker] ?? 0) }
    }

    /// The records are removed.
    mutating func remove(of broker: String) {
        last[broker] = nil
    }
}
