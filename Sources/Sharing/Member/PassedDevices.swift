import Contract
import System

/// The devices that passed to other gateways while this one kept readings of them, and when they did.
struct PassedDevices: Sendable {
    /// The time in which no gateway has published a device.
    private struct Gap {
        /// The assignments between which the gap lies.
        let stamps: Range<FleetStamp>
        let end: Instant
    }

    /// The devices whose owners are asked for.
    private(set) var wanted: Set<String> = []
    /// The newest assignment of each such device to another gateway, and the gap before it; the gap is nil if it is not known.
    private var assignments: [String: (stamp: FleetStamp, gap: Gap?)] = [:]

    /// Asks for the owner of a device.
    ///
    /// - Returns: Whether the question is new, and there is room for it.
    mutating func want(_ device: String) -> Bool {
        wanted.count < FleetLimits.devices && wanted.insert(device).inserted
    }

    /// The owner of a device is known, or readings of it are no longer kept.
    ///
    /// - Returns: Whether the owner was asked for.
    mutating func answer(_ device: String) -> Bool { wanted.remove(device) != nil }

    /// Notes that another gateway owns a device, if this one has lost it or has asked for its owner.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - assignment: The assignment to the other gateway.
    ///   - sent: A time before the decision was sent; nil: not known.
    mutating func passed(_ device: String, _ assignment: FleetDecision.Assignment, sent: Instant?) {
        var gap: Gap?
        if let past = assignment.past, let sent, past.after < assignment.stamp {
            gap = Gap(stamps: past.after..<assignment.stamp, end: Self.end(past, sent))
        }
        assignments[device] = (assignment.stamp, gap)
    }

    /// Returns the time up to which no other gateway has published a device, by what the decider knew at a time.
    private static func end(_ past: FleetDecision.Past, _ sent: Instant) -> Instant {
        // The clock of the decider may have another rate, and a decision gathers changes.
        let age = Duration.milliseconds(past.age + past.age / 32) + FleetConstants.gathering * 5
        let assigned = sent + (.zero - age)
        return past.isUnheard ? max(assigned, sent + (.zero - FleetConstants.unheard)) : assigned
    }

    /// Returns whether no other gateway has published a reading of a device that arrived under a stamp.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - stamp: The stamp of the assignment to this gateway under which the reading arrived.
    ///   - arrival: When the reading arrived.
    /// - Returns: nil if that is not known: the owner must be asked for.
    func isUnpublished(_ device: String, _ stamp: FleetStamp, _ arrival: Instant) -> Bool? {
        guard let (next, gap) = assignments[device], stamp < next else { return nil }
        guard let gap, gap.stamps.contains(stamp) else { return false }
        return arrival < gap.end
    }
}
