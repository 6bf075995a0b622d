/// Puts the parts of large reports together, as they arrive from several gateways.
///
/// A report without one of its parts is dropped; the decider then misses its number and demands a full report.
package struct FleetReportParts: Sendable {
    /// The reports whose last part has not arrived, by gateway.
    private var incomplete: [String: FleetReport] = [:]

    package init() {}

    /// Adds a part of a report.
    ///
    /// - Returns: The report if it is complete; nil: further parts are missing.
    package mutating func add(_ report: FleetReport, of gateway: String) -> FleetReport? {
        let earlier = incomplete.removeValue(forKey: gateway)
        guard let part = report.part else { return report }
        var whole = report
        if part.number > 1 {
            guard var begun = earlier, begun.start == report.start, begun.connection == report.connection,
                begun.number == report.number, begun.part?.count == part.count,
                begun.part?.number == part.number - 1, begun.add(report)
            else { return nil }
            begun.part = part
            whole = begun
        }
        guard part.number < part.count else {
            whole.part = nil
            return whole
        }
        if incomplete.count < FleetLimits.gateways { incomplete[gateway] = whole }
        return nil
    }
}

extension FleetReport {
    /// Adds the devices of the next part.
    ///
    /// - Returns: Whether the report is within the limits.
    fileprivate mutating func add(_ next: FleetReport) -> Bool {
        if let more = next.whole {
            whole?.owned.merge(more.owned) { $1 }
            whole?.remembered.merge(more.remembered) { $1 }
            whole?.bonded?.append(contentsOf: more.bonded ?? [])
        }
        signals.merge(next.signals) { $1 }
        links.merge(next.links) { $1 }
        accepted.merge(next.accepted) { $1 }
        dropped.merge(next.dropped) { $1 }
        counters.merge(next.counters) { $1 }
        wanted += next.wanted
        let counts = [
            whole?.owned.count ?? 0, whole?.remembered.count ?? 0, whole?.bonded?.count ?? 0, signals.count,
            links.count, accepted.count, dropped.count, counters.count, wanted.count,
        ]
        return counts.allSatisfy { $0 <= FleetLimits.devices }
    }
}
