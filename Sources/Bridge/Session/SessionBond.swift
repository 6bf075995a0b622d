/// The bond as the session sees it: what was refused without it, and whether it has been renewed.
struct SessionBond: Sendable {
    /// Whether the configuration says `pair: true`.
    private let isConfigured: Bool
    /// Whether the bond was made again and has not been confirmed since.
    private var isUnconfirmed = false
    /// The characteristics that this connection refused for lack of a bond.
    private var refusedNames: Set<String> = []
    /// The characteristics that were tried again with the bond of this connection; nil if none was made on it.
    private var retried: Set<String>?

    init(isConfigured: Bool) {
        self.isConfigured = isConfigured
    }

    var mayRenew: Bool { isConfigured && !isUnconfirmed }

    func mayTryAgain(_ name: String) -> Bool { retried.map { !$0.contains(name) } ?? false }

    mutating func connected() {
        refusedNames = []
        retried = nil
    }

    /// The device has been bonded with; returns the characteristics to try again.
    mutating func paired() -> Set<String> {
        defer { refusedNames = [] }
        retried = refusedNames
        return refusedNames
    }

    /// Returns whether to try a refused characteristic again; true once per characteristic and bond.
    mutating func tryAgain(_ name: String) -> Bool {
        guard mayTryAgain(name) else { return false }
        retried?.insert(name)
        return true
    }

    mutating func refused(_ name: String) {
        refusedNames.insert(name)
    }

    mutating func renew() {
        isUnconfirmed = true
    }

    /// A connection ends: without a refused access, the bond is valid.
    mutating func confirm() {
        if refusedNames.isEmpty { isUnconfirmed = false }
    }
}
