internal import Bluetooth
internal import EventLoop

/// Who has a link through one adapter, and who waits for one: controllers hold 5, 7 or so at a time.
///
/// A value without any input or output: requests go in, decisions come out. The more urgent goes first, and among equals
/// who has waited longer; waiting makes urgent, so that nobody waits for ever.
struct ConnectionSlots {
    enum Decision: Equatable {
        /// It may connect.
        case grant(Address)
        /// It should end its link soon: somebody else is to have the slot.
        case recall(Address)
    }

    private struct Lease {
        let peripheral: Address
        var priority: ConnectionPriority
        let since: Instant
        var recalled: Instant?

        /// Whether it is about to end: it was asked to, and not so long ago that it seems not to have heard.
        func isLeaving(at now: Instant) -> Bool {
            recalled.map { now - $0 < ConnectionSlots.longestFarewell } ?? false
        }
    }

    private struct Request {
        let peripheral: Address
        var priority: ConnectionPriority
        let since: Instant

        /// What the request counts for after the time that it has waited.
        func rank(at now: Instant) -> Int {
            let steps = (now - since).nanoseconds / ConnectionSlots.ageing.nanoseconds
            return min(priority.rawValue + Int(steps), ConnectionPriority.command.rawValue)
        }
    }

    /// How long a link lasts at least, even if something more urgent comes.
    static let shortestHold = Duration.seconds(5)
    /// How long a link lasts at most while something as urgent waits.
    static let longestHold = Duration.seconds(60)
    /// How long a link that is recalled may take to end before another one is recalled as well.
    static let longestFarewell = Duration.seconds(60)
    /// The wait that makes a request more urgent by one step.
    static let ageing = Duration.seconds(30)

    /// How many links there may be; nil: nobody knows of a limit.
    var capacity: Int?
    private var leases: [Lease] = []
    private var requests: [Request] = []

    init(capacity: Int?) {
        self.capacity = capacity
    }

    /// How many links there are or are being made.
    var usedCount: Int { leases.count }
    var waitingCount: Int { requests.count }

    /// Those that wait, in the order in which they were last found to be urgent.
    var waiting: [Address] { requests.map(\.peripheral) }

    func holds(_ peripheral: Address) -> Bool {
        leases.contains { $0.peripheral == peripheral }
    }

    /// Asks for a slot for a peripheral that has none and does not wait for one.
    mutating func request(_ peripheral: Address, _ priority: ConnectionPriority, at now: Instant) -> [Decision] {
        precondition(!holds(peripheral) && !waiting.contains(peripheral), "\(peripheral) has asked before")
        requests.append(Request(peripheral: peripheral, priority: priority, since: now))
        return decide(at: now)
    }

    /// Takes note of a link that is there without having been asked for.
    mutating func occupy(_ peripheral: Address, at now: Instant) {
        guard !holds(peripheral) else { return }
        requests.removeAll { $0.peripheral == peripheral }
        leases.append(Lease(peripheral: peripheral, priority: .background, since: now))
    }

    mutating func setPriority(_ priority: ConnectionPriority, of peripheral: Address, at now: Instant) -> [Decision] {
        if let index = leases.firstIndex(where: { $0.peripheral == peripheral }) {
            leases[index].priority = priority
        } else if let index = requests.firstIndex(where: { $0.peripheral == peripheral }) {
            requests[index].priority = priority
        }
        return decide(at: now)
    }

    /// The link is down, or no longer wanted.
    mutating func release(_ peripheral: Address, at now: Instant) -> [Decision] {
        leases.removeAll { $0.peripheral == peripheral }
        requests.removeAll { $0.peripheral == peripheral }
        return decide(at: now)
    }

    // MARK: Decisions

    /// What is to be done now; again when something changes, and at `nextDecision`.
    mutating func decide(at now: Instant) -> [Decision] {
        guard !requests.isEmpty else { return [] }
        sortRequests(at: now)
        var decisions: [Decision] = []
        while let next = requests.first, leases.count < capacity ?? .max {
            requests.removeFirst()
            leases.append(Lease(peripheral: next.peripheral, priority: next.priority, since: now))
            decisions.append(.grant(next.peripheral))
        }
        // The first ones get the slots of those that are leaving already.
        for request in requests.dropFirst(leases.count { $0.isLeaving(at: now) }) {
            guard let index = leaseToRecall(for: request, at: now) else { break }
            leases[index].recalled = now
            decisions.append(.recall(leases[index].peripheral))
        }
        return decisions
    }

    /// When a decision may be due though nothing has happened; nil: never.
    func nextDecision(after now: Instant) -> Instant? {
        guard !requests.isEmpty else { return nil }
        var moments: [Instant] = []
        for request in requests {
            for step in 1...ConnectionPriority.command.rawValue { moments.append(request.since + Self.ageing * step) }
        }
        for lease in leases {
            if let recalled = lease.recalled {
                moments.append(recalled + Self.longestFarewell)
            } else {
                moments += [lease.since + Self.shortestHold, lease.since + Self.longestHold]
            }
        }
        return moments.filter { $0 > now }.min()
    }

    private mutating func sortRequests(at now: Instant) {
        requests.sort { left, right in
            let (leftRank, rightRank) = (left.rank(at: now), right.rank(at: now))
            return leftRank == rightRank ? left.since < right.since : leftRank > rightRank
        }
    }

    /// The least urgent lease that may end for a request; of several, the oldest.
    private func leaseToRecall(for request: Request, at now: Instant) -> Int? {
        let candidates = leases.indices.filter {
            leases[$0].recalled == nil && mayEnd(leases[$0], for: request, at: now)
        }
        return candidates.min { left, right in
            let (left, right) = (leases[left], leases[right])
            return left.priority == right.priority ? left.since < right.since : left.priority < right.priority
        }
    }

    private func mayEnd(_ lease: Lease, for request: Request, at now: Instant) -> Bool {
        let held = now - lease.since
        if request.priority > lease.priority { return held >= Self.shortestHold }
        return held >= Self.longestHold && request.rank(at: now) >= lease.priority.rawValue
    }
}
