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
        /// Keys are kept by each adapter for itself.
        var isBonded = false
        var isBlocked = false
        /// Whether a person has said so, or a program.
        var isTrusted = false
    }

    /// How much stronger it must be heard elsewhere to change over, in dB: as bleak-retry-connector has it.
    static let margin = 5
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
        // Where none can be used, the present one is as good as any.
        let open = all.filter { isOpen($0.adapter) }
        guard !open.isEmpty else { return current.flatMap { self[$0] } ?? all.first }
        let bonded = open.filter(\.isBonded)
        let candidates = bonded.isEmpty ? open : bonded
        let present = candidates.first { $0.path == current }
        let heard = candidates.filter { $0.lastHeard.map { now - $0 < Self.freshness } ?? false }
        guard let strongest = heard.max(by: { strength($0) < strength($1) }) else {
            return present ?? candidates.max { ($0.lastHeard ?? .distantPast) < ($1.lastHeard ?? .distantPast) }
        }
        guard let present, heard.contains(present) else { return strongest }
        return strength(strongest) >= strength(present) + Self.margin ? strongest : present
    }

    /// Of one whose strength is not known, nothing is expected.
    private func strength(_ route: Route) -> Int {
        route.rssi ?? -128
    }
}

extension Instant {
    fileprivate static let distantPast = Instant(nanoseconds: .min)
}
