import EventLoop
import System

/// The routes to a peripheral: one through each adapter with an object for the peripheral.
///
/// A value without I/O.
struct Routes {
    struct Route: Equatable {
        /// The path of the peripheral's object at the adapter.
        let path: String
        /// The path of the adapter.
        let adapter: String
        /// The last signal strength in dBm; nil: not known.
        var rssi: Int?
        var lastSeen: Instant?
        /// The number of failed connects through this adapter since the last connection through any adapter.
        var failures = 0
        /// Whether bluetoothd has the keys of a bond with this adapter: each adapter has separate keys.
        var isBonded = false
        var isBlocked = false
        /// Whether the user or a program has marked the device as trusted.
        var isTrusted = false
    }

    /// How much stronger the signal at another adapter must be for a change, in dB; as in bleak-retry-connector.
    static let margin = 5
    /// The decibels that are subtracted from the signal strength of a route for each failed connect.
    static let failureCost = 10
    /// The maximum age of a sighting; the signal strengths of older sightings are not compared.
    static let freshness = Duration.seconds(30)

    private(set) var all: [Route] = []

    subscript(path: String) -> Route? {
        all.first { $0.path == path }
    }

    mutating func add(_ path: String, through adapter: String) {
        if self[path] == nil { all.append(Route(path: path, adapter: adapter)) }
    }

    mutating func remove(_ path: String) {
        all.removeAll { $0.path == path }
    }

    mutating func removeAll() {
        all = []
    }

    mutating func change(_ path: String, _ body: (inout Route) -> Void) {
        if let index = all.firstIndex(where: { $0.path == path }) { body(&all[index]) }
    }

    /// Returns the best route; nil if there is none.
    ///
    /// - Parameters:
    ///   - current: The object path of the present route; nil: there is none.
    ///   - now: The present time, with which the age of each sighting is computed.
    ///   - isOpen: Returns whether an adapter can be used.
    /// - Returns: The strongest route that was seen recently. The present route stays if no other route is stronger by
    ///   `margin`.
    func best(instead current: String?, at now: Instant, isOpen: (_ adapter: String) -> Bool) -> Route? {
        // The keys of a bond are useless to another adapter, even if the bonded adapter is off.
        let bonded = all.filter(\.isBonded)
        let known = bonded.isEmpty ? all : bonded
        let candidates = known.filter { isOpen($0.adapter) }
        // If no adapter can be used, the present route stays.
        guard !candidates.isEmpty else { return known.first { $0.path == current } ?? known.first }
        let present = candidates.first { $0.path == current }
        let seen = candidates.filter { $0.lastSeen.map { now - $0 < Self.freshness } ?? false }
        guard let strongest = seen.max(by: { strength($0) < strength($1) }) else {
            return present ?? candidates.max { ($0.lastSeen ?? .distantPast) < ($1.lastSeen ?? .distantPast) }
        }
        guard let present, seen.contains(present) else { return strongest }
        return strength(strongest) >= strength(present) + Self.margin ? strongest : present
    }

    /// Returns whether another route would be best if the present one failed now.
    func isBetterElsewhere(than current: String, at now: Instant, isOpen: (_ adapter: String) -> Bool) -> Bool {
        var routes = self
        routes.change(current) { $0.failures += 1 }
        return routes.best(instead: current, at: now, isOpen: isOpen)?.path != current
    }

    /// Returns the strength of a route less the cost of its failures.
    ///
    /// An unknown strength counts as -128 dBm, the lowest value.
    private func strength(_ route: Route) -> Int {
        (route.rssi ?? -128) - Self.failureCost * route.failures
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(nanoseconds: .min)
}
