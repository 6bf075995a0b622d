/// The messages on their way to the broker, by the library's number.
///
/// They are few, and a broker acknowledges them in the order in which they came: the one looked for is among the first,
/// sooner found than by a hash of its number.
struct InFlight {
    private var passages: [(identifier: Int32, entry: Outbox.Entry)] = []

    var count: Int { passages.count }
    var isEmpty: Bool { passages.isEmpty }
    /// What is on its way, in the order in which it was sent.
    var entries: [Outbox.Entry] { passages.map(\.entry) }

    mutating func add(_ entry: Outbox.Entry, as identifier: Int32) {
        passages.append((identifier, entry))
    }

    /// Takes a message out; nil when none of this number is on its way.
    mutating func remove(_ identifier: Int32) -> Outbox.Entry? {
        guard let index = passages.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        return passages.remove(at: index).entry
    }

    mutating func removeAll() {
        passages.removeAll(keepingCapacity: true)
    }
}
