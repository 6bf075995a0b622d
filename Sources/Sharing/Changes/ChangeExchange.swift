import Contract
import System

/// Which changes of devices at run time a gateway has, which it lacks, and which others lack.
///
/// Each decision has the summary of the changes at the decider. A gateway with another summary publishes the revisions that
/// it has, up to a range of addresses that one message has room for. The decider answers with what this gateway lacks, and asks for what it lacks itself. A gateway that was away for
/// a week, or has lost its state folder, thus gets all changes.
struct ChangeExchange: Sendable {
    /// A difference counts after this time: a change reaches all gateways at once.
    private static let grace = Duration.seconds(2)
    /// The time between two lists while something changes; doubled each time nothing does, up to `longestPause`.
    private static let pause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)
    /// The shortest time between two answers to lists.
    private static let answerPause = Duration.seconds(1)
    /// The number of devices in one answer whose changes this gateway lacks.
    private static let mostWanted = 1000
    /// A revision whose number is greater by more than this is ignored: no greater one would be left for other changes.
    private static let numbers = 1_000_000

    /// The revisions of all changed devices, by address.
    private(set) var revisions: [String: FleetRevision] = [:]
    /// The summary of the revisions; nil: there are none.
    private(set) var summary: FleetChanges.Summary?
    /// The greatest number that a decider has announced.
    private var announced = 0
    /// The last comparison with a decider; nil: the summaries were equal.
    private var difference: Difference?
    /// The last address of the last list; nil: the next list has the begin of the addresses.
    private var listed: String?
    /// Whether the gateway has compared its changes since it has connected to the broker.
    private var hasCompared = false
    private var lastAnswer: Instant?
    private var answerCount = 0

    private struct Difference {
        let own: FleetChanges.Summary?
        let decided: FleetChanges.Summary?
        /// When the next list is due.
        let listTime: Instant
        /// The time from the last list to the next one; nil: none was published.
        var pause: Duration?
    }

    /// Begins again: the gateway has connected to the broker, and others may have changed devices in the meantime.
    mutating func connected() {
        hasCompared = false
        difference = nil
    }

    /// The number of the next revision of this gateway.
    var nextNumber: Int { max(greatest, announced) + 1 }

    private var greatest: Int { summary?.greatest ?? 0 }

    /// Uses other revisions, after changes were made or received.
    mutating func use(_ revisions: [String: FleetRevision]) {
        guard revisions != self.revisions else { return }
        self.revisions = revisions
        let texts = revisions.sorted { $0.key < $1.key }.flatMap { address, revision in
            [address, "\(revision.number)", revision.gateway]
        }
        summary = revisions.values.map(\.number).max().map { greatest in
            FleetChanges.Summary(greatest: greatest, fingerprint: Placement.fingerprint(of: texts))
        }
    }

    /// Compares the changes with those of the decider.
    ///
    /// - Returns: Whether the gateway must publish its revisions.
    mutating func compare(with decided: FleetChanges.Summary?, at now: Instant) -> Bool {
        defer { hasCompared = true }
        if let decided, isPlausible(decided.greatest) { announced = max(announced, decided.greatest) }
        guard decided != summary else {
            difference = nil
            return false
        }
        guard let known = difference else {
            let listTime = now + (hasCompared ? Self.grace : Self.pause)
            difference = Difference(own: summary, decided: decided, listTime: listTime)
            return !hasCompared
        }
        guard now >= known.listTime else { return false }
        let isSame = known.own == summary && known.decided == decided && listed == nil
        let pause = isSame ? known.pause.map { min($0 * 2, Self.longestPause) } ?? Self.pause : Self.pause
        difference = Difference(own: summary, decided: decided, listTime: now + pause, pause: pause)
        return true
    }

    /// Returns the revisions that the gateway must publish now: of each address in turn, if one message has no room for all.
    mutating func nextList() -> FleetChanges.List {
        let list = FleetChanges.List(revisions: revisions).portion(after: listed)
        listed = list.last
        return list
    }

    private func isPlausible(_ number: Int) -> Bool { number - max(greatest, announced) <= Self.numbers }

    /// Returns the changes that are newer than those of this gateway.
    func newer(of changes: [String: FleetChanges.Change]) -> [String: FleetChanges.Change] {
        changes.filter { address, change in
            isPlausible(change.revision.number) && revisions[address].map { $0 < change.revision } ?? true
        }
    }

    /// Returns the devices whose changes another gateway lacks, and those whose changes this one lacks.
    ///
    /// - Returns: Nil: an answer was given a moment ago, and the other gateway lists its revisions again.
    mutating func answer(to list: FleetChanges.List, at now: Instant) -> (send: [String], want: [String])? {
        guard admitsAnswer(at: now) else { return nil }
        let known = list.revisions
        let send = revisions.filter { address, revision in
            known[address].map { $0 < revision } ?? list.covers(address)
        }.keys
        let want = known.filter { address, revision in
            isPlausible(revision.number) && revisions[address].map { $0 < revision } ?? true
        }.keys
        return (inTurn(send), Array(inTurn(want).prefix(Self.mostWanted)))
    }

    /// Returns the changed devices among those that another gateway wants.
    mutating func answer(toWanted addresses: [String], at now: Instant) -> [String] {
        guard admitsAnswer(at: now) else { return [] }
        return inTurn(addresses.filter { revisions[$0] != nil })
    }

    private mutating func admitsAnswer(at now: Instant) -> Bool {
        if let lastAnswer, now - lastAnswer < Self.answerPause { return false }
        lastAnswer = now
        answerCount += 1
        return true
    }

    /// Returns addresses in an order that differs each time: a message has room for some, and a gateway may reject some.
    private func inTurn(_ addresses: some Sequence<String>) -> [String] {
        addresses.map { (Placement.hash("\(answerCount)", $0), $0) }.sorted { $0 < $1 }.map(\.1)
    }
}
