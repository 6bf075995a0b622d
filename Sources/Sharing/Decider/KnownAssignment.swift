import Contract
import System

/// The newest assignment of a device in the decisions of an earlier decider.
struct KnownAssignment: Sendable {
    let stamp: FleetStamp
    /// The greatest earlier stamp under which a gateway may have published the device.
    private(set) var after: FleetStamp
    /// A time before the owner began to act.
    let began: Instant

    /// - Returns: nil if the decider did not know the earlier assignments.
    init?(_ assignment: FleetDecision.Assignment, at now: Instant) {
        guard let past = assignment.past else { return nil }
        (stamp, after) = (assignment.stamp, past.after)
        // A gateway acts only on decisions that are younger than a lease.
        began = now + (.zero - .milliseconds(past.age) - FleetConstants.lease)
    }

    /// Returns the assignment after the decider has learned of another earlier stamp.
    func learned(_ stamp: FleetStamp) -> KnownAssignment {
        var copy = self
        copy.after = max(after, stamp)
        return copy
    }
}
