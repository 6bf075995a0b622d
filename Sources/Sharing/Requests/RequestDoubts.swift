import Contract

/// The requests that another process may have executed while this gateway missed messages of the fleet.
///
/// A gateway that returns may decide next, or report its requests to a decider that has just started. If a process that ran
/// in that time is gone, it may have executed requests that no other gateway remembers.
struct RequestDoubts: Sendable {
    /// The names of the requests.
    private(set) var requests: Set<String> = []
    /// The processes that may have executed them.
    private var processes: Set<FleetProcess> = []

    func contains(_ id: String) -> Bool { requests.contains(id) }

    /// The doubts as part of a report; nil: there are none.
    var report: FleetDoubt? {
        requests.isEmpty ? nil : FleetDoubt(requests: requests.sorted(), processes: processes)
    }

    /// Adds requests that any of some processes may have executed.
    mutating func add(_ ids: some Sequence<String>, _ others: Set<FleetProcess>) {
        guard !others.isEmpty else { return }
        requests.formUnion(ids)
        guard !requests.isEmpty else { return }
        processes.formUnion(others)
        if processes.count > FleetLimits.doubtedProcesses {
            processes = Set(processes.prefix(FleetLimits.doubtedProcesses))
        }
    }

    /// Handles that a gateway that has missed nothing knows the state of a request.
    mutating func remove(_ id: String) {
        requests.remove(id)
        if requests.isEmpty { processes = [] }
    }

    /// Returns whether a process is gone that may have executed the requests.
    func hasLost(isRunning: (FleetProcess) -> Bool) -> Bool { processes.contains { !isRunning($0) } }
}
