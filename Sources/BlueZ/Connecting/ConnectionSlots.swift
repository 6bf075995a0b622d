import Bluetooth
import EventLoop
import System

/// Decides which peripherals are connected through one adapter: a controller supports about 5 to 7 connections.
///
/// A value without I/O: the methods accept requests and return decisions. The most urgent request gets the next slot;
/// of equally urgent requests, the oldest. The urgency of a request increases with the wait, so that no request waits
/// forever.
struct ConnectionSlots {
    enum Decision: Equatable {
        /// The peripheral may connect.
        case grant(Address)
        /// The peripheral should disconnect soon: another peripheral needs the slot.
        case recall(Address, for: Address)
    }

    private struct Lease {
        let peripheral: Address
        var priority: ConnectionPriority
        let since: Instant
        var recalled: Instant?

        /// Whether the slot was recalled less than `recallTimeout` ago.
        func isRecalled(at now: Instant) -> Bool {
            recalled.map { now - $0 < ConnectionSlots.recallTimeout } ?? false
        }
    }

    private struct Request {
        let peripheral: Address
        var priority: ConnectionPriority
        let since: Instant

        /// Returns the priority, raised by the time that the request has waited.
        func rank(at now: Instant) -> Int {
            let steps = (now - since).nanoseconds / ConnectionSlots.ageing.nanoseconds
            return min(priority.rawValue + Int(steps), ConnectionPriority.command.rawValue)
        }
    }

    /// How long a peripheral has its slot at least, even if a more urgent request waits.
    static let shortestHold = Duration.seconds(5)
    /// How long a peripheral has its slot before it is recalled for an equally urgent request.
    static let longestHold = Duration.seconds(60)
    /// How long a recalled connection may take to end before another connection is recalled too.
    static let recallTimeout = Duration.seconds(60)
    /// The wait that raises the priority of a request by one step.
    static let ageing = Duration.seconds(30)

    /// The number of slots; nil: no limit is known.
    private var capacity: Int?
    private var leases: [Lease] = []
    private var requests: [Request] = []

    init(capacity: Int?) {
        self.capacity = capacity
    }

    mutating func setCapacity(_ capacity: Int?) {
        self.capacity = capacity
    }

    /// The number of connections that exist or are being made.
    var usedCount: Int { leases.count }
    var waitingCount: Int { requests.count }

    /// The peripherals that wait for a slot, in the order of the last decision.
    var waiting: [Address] { requests.map(\.peripheral) }

    func holds(_ peripheral: Address) -> Bool {
        leases.contains { $0.peripheral == peripheral }
    }

    /// Requests a slot for a peripheral that has none and does not wait for one.
    mutating func request(_ peripheral: Address, _ priority: ConnectionPriority, at now: Instant) -> [Decision] {
        precondition(!holds(peripheral) && !waiting.contains(peripheral), "\(peripheral) has requested a slot before")
        requests.append(Request(peripheral: peripheral, priority: priority, since: now))
        return decide(at: now)
    }

    /// Assigns a slot to a peripheral that is connected but has none; removes its request.
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

    /// Frees the slot of a peripheral, or removes its request.
    mutating func release(_ peripheral: Address, at now: Instant) -> [Decision] {
        leases.removeAll { $0.peripheral == peripheral }
        requests.removeAll { $0.peripheral == peripheral }
        return decide(at: now)
    }

    // MARK: Decisions

    /// Returns the decisions that are due; must be called after each change and at `nextDecision`.
    mutating func decide(at now: Instant) -> [Decision] {
        guard !requests.isEmpty else { return [] }
        sortRequests(at: now)
        var decisions: [Decision] = []
        while let next = requests.first, leases.count < capacity ?? .max {
            requests.removeFirst()
            leases.append(Lease(peripheral: next.peripheral, priority: next.priority, since: now))
            decisions.append(.grant(next.peripheral))
        }
        // The first requests get the slots of connections that are already recalled.
        for request in requests.dropFirst(leases.count { $0.isRecalled(at: now) }) {
            guard let index = leaseToRecall(for: request, at: now) else { break }
            leases[index].recalled = now
            decisions.append(.recall(leases[index].peripheral, for: request.peripheral))
        }
        return decisions
    }

    /// Returns when a decision may be due without a change; nil: never.
    func nextDecision(after now: Instant) -> Instant? {
        guard !requests.isEmpty else { return nil }
        var moments: [Instant] = []
        for request in requests {
            for step in 1...ConnectionPriority.command.rawValue { moments.append(request.since + Self.ageing * step) }
        }
        for lease in leases {
            if let recalled = lease.recalled {
                moments.append(recalled + Self.recallTimeout)
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

    /// Returns the index of the least urgent lease that may end for a request; of several, the oldest.
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
