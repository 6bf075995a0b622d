import Contract
import MQTT
import System

/// The topics and filters that the broker does not accept, with the last reason of each.
struct RefusedAccesses {
    /// How long a topic or a filter stays in the list; the gateway tries refused ones again each hour.
    private static let memory = Duration.seconds(2 * 3600)
    /// The maximum number of topics and filters.
    private static let most = 100

    private var refusals: [Access: (reason: String, isTemporary: Bool, time: Instant)] = [:]

    /// Notes that the broker does not accept a topic or a filter.
    ///
    /// - Returns: Whether it was not in the list.
    mutating func note(
        _ access: Access, because reason: String, isTemporary: Bool = false, at now: Instant
    ) -> Bool {
        forget(at: now)
        let isNew = refusals[access] == nil
        guard !isNew || refusals.count < Self.most else { return false }
        refusals[access] = (reason, isTemporary, now)
        return isNew
    }

    /// Notes that the broker accepts a topic or a filter.
    mutating func remove(_ access: Access) { refusals[access] = nil }

    /// Returns the topics and filters in alphabetical order.
    mutating func list(at now: Instant) -> [BrokerStatus.Refusal] {
        forget(at: now)
        return refusals.sorted { $0.key.name < $1.key.name }.map { access, refusal in
            BrokerStatus.Refusal(
                BrokerStatus.Refusal.Action(access), access.name, reason: refusal.reason,
                isTemporary: refusal.isTemporary)
        }
    }

    private mutating func forget(at now: Instant) {
        for (access, refusal) in refusals where now - refusal.time > Self.memory { refusals[access] = nil }
    }
}

extension BrokerStatus.Refusal.Action {
    init(_ access: Access) { self = access.isSubscription ? .subscribe : .publish }
}
