/// The twenty rules by which gateways share devices.
///
/// A gateway obeys all of them. Tests switch off one rule and expect a violation of an invariant. Search for the name of a
/// rule to find the code that implements it.
package struct FleetRules: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ number: UInt32) {
        rawValue = 1 << number
    }

    /// Rule 1: a gateway reports each second.
    ///
    /// It sends a full report for each connection, for each new key, and when a decision demands it. Without the rule: only
    /// for each connection.
    package static let report = FleetRules(1)
    /// Rule 2: a gateway follows the greatest key that it receives.
    ///
    /// The key can be in a decision, or in the report of another gateway. Decisions with smaller keys are ignored. Without
    /// the rule: a gateway follows its decider until that one fails.
    package static let follow = FleetRules(2)
    /// Rule 3: a gateway acts only if the decider has acknowledged its last full report, or a later one.
    ///
    /// Without the rule: any acknowledgement is enough.
    package static let confirmation = FleetRules(3)
    /// Rule 4: a gateway acts only for 2.5 s after it has sent the newest report that the decider has acknowledged.
    ///
    /// Without the rule: without a limit.
    package static let lease = FleetRules(4)
    /// Rule 5: an assignment counts only with a fresh acknowledgement in the same message, and each stamp counts once.
    ///
    /// Without the rule: each assignment counts.
    package static let assignment = FleetRules(5)
    /// Rule 6: the owner of a device drops it before the decider assigns it to another gateway.
    ///
    /// Without the rule: the decider assigns it at once.
    package static let release = FleetRules(6)
    /// Rule 7: a reading that waited is published if the gateway still owns the device with the same stamp, or if the
    /// decider reports that no other gateway has published the device since that stamp.
    ///
    /// Readings of connections are always published, and those that arrived before another gateway could own the device.
    /// Without the rule: all readings that waited are published.
    package static let heldReadings = FleetRules(7)
    /// Rule 8: a gateway disconnects from a device that it has not owned for 6 s.
    ///
    /// A gateway that has been without its broker for 30 s disconnects from all devices, once. Without the rule: it keeps the
    /// connections.
    package static let links = FleetRules(8)
    /// Rule 9: if the decider fails, the next gateway decides: after 3.5 s of silence and 1.5 s for each gateway before it.
    ///
    /// The silence counts only while the broker returns the reports of the gateway itself. Without the rule: no gateway decides after the first decider.
    package static let succession = FleetRules(9)
    /// Rule 10: a new decider waits for the full reports of all gateways that run, up to 3.5 s, before it decides.
    ///
    /// If one of them fails, the others report again, with the stamps of its devices. Without the rule: it decides at once.
    package static let collection = FleetRules(10)
    /// Rule 11: a new decider adopts the owners that the gateways report; of two, the one with the greater stamp.
    ///
    /// A gateway that reports an older stamp gets the newer one. If another gateway remembers a greater stamp, the decider
    /// gives the device a new stamp. Without the rule: it assigns all devices again.
    package static let adoption = FleetRules(11)
    /// Rule 12: the decider assigns the devices of a gateway to others after 3.5 s of silence, or 1 s after its will.
    ///
    /// Without the rule: after 1.5 s of silence, which is shorter than a lease.
    package static let burial = FleetRules(12)
    /// Rule 13: of two processes with one name, the first one remains; the decider does not acknowledge the other one.
    ///
    /// The other one publishes nothing. Without the rule: the decider acknowledges each of them.
    package static let names = FleetRules(13)
    /// Rule 14: the decider assigns a device to the best gateway.
    ///
    /// The best one has the bond, has a free connection if the device needs one, has the connection, and receives the device
    /// best, in this order. Without the rule: the worst gateway.
    package static let best = FleetRules(14)
    /// Rule 15: the decider moves a device when another gateway has been a better place for some time.
    ///
    /// Without the rule: devices stay.
    package static let moves = FleetRules(15)
    /// Rule 16: the decider does not move a device with a connection, except to the gateway that has the connection.
    ///
    /// Without the rule: a connection has no influence.
    package static let linkedStay = FleetRules(16)
    /// Rule 17: the decider repeats each second what a gateway does not follow.
    ///
    /// It acknowledges no full report that disagrees with its table. Without the rule: it repeats nothing.
    package static let repetition = FleetRules(17)
    /// Rule 18: a gateway executes or answers a request only after a decision has announced it.
    ///
    /// Without the rule: it executes at once.
    package static let announcement = FleetRules(18)
    /// Rule 19: a gateway that stops passes its devices on at once; a decider also passes on the right to decide.
    ///
    /// Without the rule: the gateway only stops.
    package static let resignation = FleetRules(19)
    /// Rule 20: with `share.seat`, a gateway decides only while it holds a lock in etcd.
    ///
    /// Without the rule: it decides without the lock.
    package static let seat = FleetRules(20)

    package static let all = FleetRules(rawValue: ~0)
}
