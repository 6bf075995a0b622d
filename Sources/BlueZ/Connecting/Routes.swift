internal import EventLoop

/// The ways to a peripheral: one through each adapter that hears it, of which one at a time is taken.
///
/// A value without any input or output.
struct Routes {
    struct Route: Equatable {
        /// bluetoothd's object for the peripheral.
        let path: String
        /// The adapter's object.
        let adapter: String
        /// The last strength that was heard, in dBm.
        var rssi: Int?
        var lastHeard: Instant?
        /// How often it could not be connected this way since a link was made last, whichever way.
        var failures = 0
        /// Keys are kept by each adapter for itself.
        var isBonded = false
        var isBlocked = false
        /// Whether a person has said so, or a program.
        var isTrusted = false
    }

    /// How much stronger it must be heard elsewhere to change over, in dB: as bleak-retry-connector has it.
    static let margin = 5
    /// How much weaker one counts for each connect that failed, in dB.
    static let failureCost = 10
    /// How long what was heard counts.
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

    /// The route to take.
    ///
    /// - Parameters:
    ///   - current: the path of the one that has been taken so far.
    ///   - isOpen: whether an adapter can be used.
    /// - Returns: nil where there is none.
    func best(instead current: String?, at now: Instant, isOpen: (_ adapter: String) -> Bool) -> Route? {
        // The keys of a bond are of no use to another adapter, even if theirs is off.
        let bonded = all.filter(\.isBonded)
        let known = bonded.isEmpty ? all : bonded
        let candidates = known.filter { isOpen($0.adapter) }
        // Where none can be used, the present one is as good as any.
        guard !candidates.isEmpty else { return known.first { $0.path == current } ?? known.first }
        let present = candidates.first { $0.path == current }
        let heard = candidates.filter { $0.lastHeard.map { now - $0 < Self.freshness } ?? false }
        guard let strongest = heard.max(by: { strength($0) < strength($1) }) else {
            return present ?? candidates.max { ($0.lastHeard ?? .distantPast) < ($1.lastHeard ?? .distantPast) }
        }
        guard let present, heard.contains(present) else { return strongest }
        return strength(strongest) >= strength(present) + Self.margin ? strongest : present
    }

    /// Whether another route would be taken if this one failed now.
    func isBetterElsewhere(than current: String, at now: Instant, isOpen: (_ adapter: String) -> Bool) -> Bool {
        var routes = self
        routes.change(current) { $0.failures += 1 }
        return routes.best(instead: current, at: now, isOpen: isOpen)?.path != current
    }

    /// Of one whose strength is not known, nothing is expected; to be heard is not to be connected.
    private func strength(_ route: Route) -> Int {
        (route.rssi ?? -128) - Self.failureCost * route.failures
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(nanoseconds: .min)
}
