import Contract
import System

/// The report and the decision that a gateway prepares.
///
/// Everything that happens in one turn of the event loop becomes one report. A decision gathers changes for 10 ms.
struct FleetDrafts: Sendable {
    /// The changes for the next report.
    private var report: FleetReport
    private(set) var isReportDue = false
    /// Whether the next report is a full report.
    private var isWhole = false
    /// The changes for the next decision.
    private var decision: FleetDecision?
    /// When the decision is due; nil: there are no changes.
    private(set) var decisionTime: Instant?
    private var isConnected = false

    init(start: String) {
        report = FleetReport(start: start, number: 0, connection: 0)
    }

    /// Begins to prepare reports for a new connection.
    mutating func connected(_ connection: Int) {
        isConnected = true
        report = FleetReport(start: report.start, number: 0, connection: connection)
        isWhole = false
        isReportDue = false
        decide(with: nil)
    }

    mutating func disconnected() {
        isConnected = false
        isReportDue = false
        decide(with: nil)
    }

    /// Begins to prepare decisions with a key; nil: the gateway does not decide.
    mutating func decide(with key: FleetKey?) {
        decision = key.map { FleetDecision(key: $0, number: 0) }
        decisionTime = nil
    }

    /// Adds changes to the next report.
    mutating func report(_ change: (inout FleetReport) -> Void) {
        guard isConnected else { return }
        change(&report)
        isReportDue = true
    }

    /// Makes the next report a full report.
    mutating func reportWhole() {
        report { _ in }
        if isConnected { isWhole = true }
    }

    /// Adds changes to the next decision, which is due 10 ms after its first change, or at once.
    mutating func decide(at now: Instant, isUrgent: Bool = false, _ change: (inout FleetDecision) -> Void) {
        guard isConnected, decision != nil else { return }
        decision.changeIfPresent(change)
        if isUrgent {
            decisionTime = now
        } else if decisionTime == nil {
            decisionTime = now + FleetConstants.gathering
        }
    }

    /// Returns the next report; nil: none is due.
    mutating func takeReport() -> (report: FleetReport, isWhole: Bool)? {
        guard isReportDue else { return nil }
        let result = (report, isWhole)
        report = FleetReport(start: report.start, number: 0, connection: report.connection)
        (isReportDue, isWhole) = (false, false)
        return result
    }

    /// Returns the next decision; nil: none is due.
    mutating func takeDecision(at now: Instant) -> FleetDecision? {
        guard let decision, let decisionTime, decisionTime <= now else { return nil }
        decide(with: decision.key)
        return decision
    }
}

extension Optional {
    /// Changes the value in place, if there is one.
    fileprivate mutating func changeIfPresent(_ change: (inout Wrapped) -> Void) {
        guard var value = self else { return }
        self = nil
        change(&value)
        self = value
    }
}
