/// The names of one process of a gateway in a fleet.
package struct FleetIdentity: Hashable, Sendable {
    /// The name of the gateway; the processes of one fleet have different names.
    package let gateway: String
    /// The random name of the process.
    package let start: String
    /// The value of `share.rank`.
    package let rank: Int
    /// Whether the key `share.seat` names an etcd.
    package let hasSeat: Bool
    /// Whether the gateway decides and owns no devices.
    package let onlyDecides: Bool

    package init(gateway: String, start: String, rank: Int = 100, hasSeat: Bool = false, onlyDecides: Bool = false) {
        self.gateway = gateway
        self.start = start
        self.rank = rank
        self.hasSeat = hasSeat
        self.onlyDecides = onlyDecides
    }
}
