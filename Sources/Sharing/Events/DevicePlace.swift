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
    /// The time since the assignment.
    package let assigned: Duration

    /// Why the owner owns the device, for people.
    package var why: String { Self.why(owner: owner, signals) }

    /// Returns why a gateway owns a device: `-58 here, -79 at attic`.
    static func why(owner: String?, _ signals: [String: Double]) -> String {
        let best = signals.filter { $0.key != owner }.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let other = best.map { "\(Int($0.value.rounded())) at \($0.key)" }
        guard let owner else { return other ?? "no gateway receives it" }
        guard let own = signals[owner] else {
            return other.map { "not received here, \($0)" } ?? "no gateway receives it"
        }
        return ["\(Int(own.rounded())) here", other].compactMap(\.self).joined(separator: ", ")
    }
}
