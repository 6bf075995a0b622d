/// The bond of a session's device: the accesses that were refused without a bond, and whether the bond was renewed.
package struct SessionBond: Sendable {
    /// Whether the configuration allows to replace an invalid bond.
    private let isRenewable: Bool
    /// Whether the bond was renewed and has not been confirmed since.
    private var isUnconfirmed = false
    /// The characteristics that the device refused to access on this connection for lack of a bond.
    private var refusedNames: Set<String> = []
    /// The characteristics that were accessed again after pairing on this connection; nil before pairing.
    private var retried: Set<String>?

    package init(isRenewable: Bool) {
        self.isRenewable = isRenewable
    }

    package var mayRenew: Bool { isRenewable && !isUnconfirmed }

    package func mayTryAgain(_ name: String) -> Bool { retried.map { !$0.contains(name) } ?? false }

    package mutating func connected() {
        refusedNames = []
        retried = nil
    }

    /// Notes that pairing has succeeded; returns the refused characteristics, which are accessed again.
    package mutating func paired() -> Set<String> {
        defer { refusedNames = [] }
        retried = refusedNames
        return refusedNames
    }

    /// Returns whether to access a refused characteristic again; true once per characteristic after pairing on this
    /// connection.
    package mutating func tryAgain(_ name: String) -> Bool {
        guard mayTryAgain(name) else { return false }
        retried?.insert(name)
        return true
    }

    package mutating func refused(_ name: String) {
        refusedNames.insert(name)
    }

    package mutating func renew() {
        isUnconfirmed = true
    }

    /// Confirms the bond at the end of a connection without a refused access.
    package mutating func confirm() {
        if refusedNames.isEmpty { isUnconfirmed = false }
    }
}
