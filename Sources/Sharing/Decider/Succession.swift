import Contract
import System

/// Rule 9: which gateway decides next, and when.
struct Succession: Sendable {
    private let identity: FleetIdentity
    /// When the last decision of the followed key arrived, or since when the gateway waits for one.
    private(set) var lastDecision: Instant
    /// When the will of the decider arrived, or 1 s before it resigned; nil: it has not.
    private var departure: Instant?
    /// The connection of the decider that the will belongs to; nil: no will has arrived.
    private var endedConnection: Int?
    /// Whether the last decision of the followed key has arrived.
    private(set) var hasResigned = false
    /// The gateways that decide next.
    private var successors: [String] = []
    /// The gateways that the last decision acknowledged.
    private(set) var acknowledged: Set<String> = []
    /// The processes of these gateways.
    private(set) var processes: Set<FleetProcess> = []
    /// The gateways whose wills have arrived since the last decision.
    private var departed: Set<String> = []
    /// Whether the gateway decided until it lost its connection.
    private var isFormer = false

    init(_ identity: FleetIdentity, at now: Instant) {
        self.identity = identity
        lastDecision = now
    }

    /// Begins to wait for decisions: the connection or the key has changed.
    mutating func wait(at now: Instant) {
        lastDecision = now
        departure = nil
        endedConnection = nil
        hasResigned = false
    }

    /// Handles that the broker does not return the reports of this gateway in time: its silence says nothing of the decider.
    mutating func brokerIsSilent(at now: Instant) {
        lastDecision = max(lastDecision, now)
    }

    mutating func followed(at now: Instant) {
        wait(at: now)
        isFormer = false
    }

    mutating func received(_ decision: FleetDecision, at now: Instant) {
        lastDecision = now
        hasResigned = decision.isResigning
        endedConnection = nil
        departure = decision.isResigning ? Instant(nanoseconds: now.nanoseconds - FleetConstants.will.nanoseconds) : nil
        acknowledged = Set(decision.acknowledgements.keys)
        processes = Set(decision.acknowledgements.map { FleetProcess(gateway: $0.key, start: $0.value.start) })
        departed = []
        successors = decision.successors
    }

    /// Handles the will of a gateway.
    mutating func left(_ name: String) {
        departed.insert(name)
    }

    /// Returns the gateways that the last decision acknowledged and whose wills have not arrived.
    func present(exceptFor decider: String?) -> Set<String> {
        acknowledged.filter { $0 != decider && !departed.contains($0) }
    }

    /// Handles the will of the decider for one of its connections.
    mutating func deciderLeft(connection: Int, at now: Instant) {
        departure = now
        endedConnection = connection
    }

    /// Handles a report of the decider: if it has another connection since its will, it is not gone.
    mutating func deciderReported(connection: Int) {
        guard let endedConnection, connection > endedConnection else { return }
        departure = nil
        self.endedConnection = nil
    }

    /// Handles that the gateway decided and has lost its connection.
    mutating func lostSeat() {
        isFormer = true
    }

    func isSuccessor(_ name: String) -> Bool { successors.contains(name) }

    /// Returns the two gateways that decide next, of those that run.
    func nextSuccessors(_ known: KnownGateways) -> [String] {
        let names = known.gateways.filter { $0.value.isAlive && $0.key != identity.gateway }.keys
        return Array(names.sorted { order($0, known) < order($1, known) }.prefix(2))
    }

    private func order(_ name: String, _ known: KnownGateways) -> (Int, Int, String) {
        let rank = name == identity.gateway ? identity.rank : known[name]?.rank ?? identity.rank
        return (successors.firstIndex(of: name) ?? successors.count, rank, name)
    }

    /// Whether the gateway must read all reports: there may be no decider.
    func isAlarmed(at now: Instant) -> Bool {
        departure != nil || now - lastDecision > FleetConstants.absence
    }

    /// Whether the decider has left, or has been silent for 3.5 s.
    func hasFailed(at now: Instant) -> Bool {
        hasLeft(at: now) || now - lastDecision >= FleetConstants.silence
    }

    private func hasLeft(at now: Instant) -> Bool {
        departure.map { now - $0 >= FleetConstants.will } ?? false
    }

    /// Whether any gateway may begin to decide now; a cheap test before `isDue`.
    func mayBeDue(at now: Instant) -> Bool { isFormer || hasFailed(at: now) }

    /// Returns the gateways that run, except this one.
    ///
    /// The decider runs, although its decisions do not arrive, if it has reported long after the last one.
    func candidates(_ known: KnownGateways, followed key: FleetKey?, at now: Instant) -> [String] {
        known.gateways.filter { name, gateway in
            now - gateway.received < FleetConstants.silence && gateway.burialTime == nil && gateway.isAlive
                && name != identity.gateway
                && (gateway.start != key?.start || gateway.received - lastDecision > FleetConstants.absence)
        }.keys.sorted()
    }

    /// Whether this gateway must decide now.
    ///
    /// It waits 3.5 s after the last decision, or 1 s after a will, and 1.5 s for each gateway before it.
    func isDue(_ candidates: [String], _ known: KnownGateways, at now: Instant) -> Bool {
        let silence = now - lastDecision
        if isFormer && silence >= FleetConstants.formerDecider { return true }
        let own = order(identity.gateway, known)
        let place = candidates.count { order($0, known) < own }
        let waited =
            if let departure, hasLeft(at: now) {
                now - departure - FleetConstants.will
            } else {
                silence - FleetConstants.silence
            }
        return waited >= FleetConstants.succession * place
    }
}
