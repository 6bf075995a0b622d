import Contract
import System

/// The devices that a gateway owns.
///
/// | state     | meaning                                                                  |
/// |-----------|--------------------------------------------------------------------------|
/// | `other`   | The gateway does not own the device; the device has no entry.              |
/// | `mine`    | The gateway owns the device.                                               |
/// | `leaving` | The gateway must drop the device when the running request has ended.       |
struct OwnedDevices: Sendable {
    private struct Entry {
        var stamp: FleetStamp
        let since: Instant
        /// Why the gateway owns the device, for people; nil: the decider has not reported it.
        var why: String?
        /// The gateways that have a bond with the device.
        var bonded: [String]
        /// The counters of the former owner, by format.
        let counters: [String: Int]
        /// No other gateway has published the device since this stamp; nil: not known.
        var after: FleetStamp?
        /// Whether the gateway has begun to act for the device.
        var hasBegun = false
        var isLeaving = false
    }

    private let rules: FleetRules
    private var entries: [String: Entry] = [:]
    /// The stamps of the dropped devices.
    private var droppedStamps: [String: FleetStamp] = [:]
    /// The stamps of the devices that were removed without a report, since a decider has last confirmed the gateway.
    private(set) var removedStamps: [String: FleetStamp] = [:]

    init(_ rules: FleetRules) {
        self.rules = rules
    }

    /// The devices in the order of their names.
    var names: [String] { entries.keys.sorted() }
    var stamps: [String: FleetStamp] { entries.mapValues(\.stamp) }
    /// The devices that the gateway must drop.
    var leaving: [String] { entries.filter(\.value.isLeaving).keys.sorted() }
    /// The devices for which the gateway has not begun to act.
    var waiting: [String] { entries.filter { !$0.value.hasBegun }.keys.sorted() }

    func stamp(of device: String) -> FleetStamp? { entries[device]?.stamp }
    func since(_ device: String) -> Instant? { entries[device]?.since }
    func reason(of device: String) -> String? { entries[device]?.why }
    /// Returns the gateways that have a bond with an owned device.
    func bonds(of device: String) -> [String] { entries[device]?.bonded ?? [] }
    /// Returns the counters of encrypted advertisements of the former owner, by format.
    func counters(of device: String) -> [String: Int] { entries[device]?.counters ?? [:] }
    /// Rule 7: returns whether no other gateway has published an owned device since an earlier stamp; nil: it is not owned.
    func isUnpublished(_ device: String, since stamp: FleetStamp) -> Bool? {
        entries[device].map { $0.stamp == stamp || stamp < $0.stamp && $0.after.map { $0 <= stamp } ?? false }
    }
    /// The owned devices that have a bond with any gateway.
    var bonded: [String] { entries.filter { !$0.value.bonded.isEmpty }.keys.sorted() }
    /// Returns the stamp of the last assignment that has ended; nil: there is none.
    func droppedStamp(of device: String) -> FleetStamp? { droppedStamps[device] }
    func isActing(_ device: String) -> Bool { entries[device]?.hasBegun ?? false }
    func isLeaving(_ device: String) -> Bool { entries[device]?.isLeaving ?? false }

    /// The result of an assignment to this gateway.
    enum Acceptance {
        /// The gateway owns the device now.
        case accepted
        /// The gateway owned the device before.
        case renewed(FleetStamp)
        case ignored
    }

    /// Rule 5: an assignment counts only with a fresh acknowledgement, and each stamp counts once.
    mutating func assign(
        _ device: String, _ assignment: FleetDecision.Assignment, isFresh: Bool, at now: Instant
    ) -> Acceptance {
        let stamp = assignment.stamp
        if let entry = entries[device] {
            // The new stamp gives no right: the gateway acts when it is confirmed.
            let greatest = max(entry.stamp, stamp)
            entries[device]?.stamp = greatest
            entries[device]?.isLeaving = false
            entries[device]?.why = assignment.why ?? entry.why
            entries[device]?.bonded = assignment.bonded
            if stamp >= entry.stamp { entries[device]?.after = assignment.past?.after }
            return .renewed(greatest)
        }
        let isUsed = droppedStamps[device].map { stamp <= $0 } ?? false
        guard isFresh && !isUsed || !rules.contains(.assignment) else { return .ignored }
        entries[device] = Entry(
            stamp: stamp, since: now, why: assignment.why, bonded: assignment.bonded, counters: assignment.counters,
            after: assignment.past?.after)
        return .accepted
    }

    /// Marks that the gateway has begun to act for the device.
    mutating func begin(_ device: String) {
        entries[device]?.hasBegun = true
    }

    /// Marks that the gateway must drop the device as soon as no request runs.
    mutating func leave(_ device: String) {
        entries[device]?.isLeaving = true
    }

    /// Removes a device whose assignment has ended; its stamp never counts again.
    ///
    /// - Returns: The stamp of the assignment; nil if the gateway does not own the device.
    mutating func drop(_ device: String) -> FleetStamp? {
        guard let entry = entries.removeValue(forKey: device) else { return nil }
        droppedStamps[device] = entry.stamp
        return entry.stamp
    }

    /// Removes a device without a report.
    mutating func remove(_ device: String) {
        removedStamps[device] = entries.removeValue(forKey: device)?.stamp
    }

    /// Handles that a decider has confirmed the gateway: it knows the stamps.
    mutating func confirmed() {
        removedStamps = [:]
    }
}
