/// The owner of a shared device and the reasons for it, as the decider knows them.
package struct DevicePlace: Equatable, Sendable {
    /// The gateway that owns the device; nil: its owner has failed.
    package let owner: String?
    /// The gateway that the device moves to; nil: it does not move.
    package let destination: String?
    /// The signal strengths in dBm, by gateway; a gateway that does not receive the device is missing.
    package let signals: [String: Double]
    /// The gateway with a connection to the device; nil: there is none.
    package let holder: String?
    /// The gateways that have a bond with the device, in the order of their names.
    package let bonded: [String]
    /// The time since the assignment.
    package let assigned: Duration

    /// Why the owner owns the device, for people.
    package var why: String { Self.why(owner: owner, signals, bonded: bonded) }

    /// Returns why a gateway owns a device: `-58 here, -79 at attic`, or `bonded here`.
    static func why(owner: String?, _ signals: [String: Double], bonded: [String]) -> String {
        if let owner, let text = bondText(bonded, at: owner) { return text }
        let best = signals.filter { $0.key != owner }.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let other = best.map { "\(Int($0.value.rounded())) at \($0.key)" }
        guard let owner else { return other ?? "no gateway receives it" }
        guard let own = signals[owner] else {
            return other.map { "not received here, \($0)" } ?? "no gateway receives it"
        }
        return ["\(Int(own.rounded())) here", other].compactMap(\.self).joined(separator: ", ")
    }

    /// Returns where the bond of a device is, as seen from its owner; nil: no gateway has a bond.
    ///
    /// Another gateway owns such a device only while no gateway with the bond runs.
    static func bondText(_ bonded: [String], at owner: String) -> String? {
        guard !bonded.isEmpty else { return nil }
        guard !bonded.contains(owner) else { return "bonded here" }
        let names = bonded.joined(separator: " and ")
        return "bonded with \(names), which \(bonded.count == 1 ? "is" : "are") offline"
    }
}
