/// Bonds: made before a link is of use, and made anew where one of the sides has lost its keys.
extension Session {
    /// Whether a bond that is of no use any more may be replaced by another one: once, until that has proved to be good.
    var mayRenewBond: Bool { plan.pair && !hasRenewedBond }

    mutating func linked() {
        refused = []
        retried = nil
        guard plan.pair else { return discover() }
        phase = .pairing
        actions += [.stopSeeking, .pair]
    }

    /// There is a bond: the link is of use, or of more use than before.
    mutating func paired() {
        if phase == .pairing { return discover() }
        guard phase == .ready else { return }
        take(refused.intersection(present))
        retried = refused
        refused = []
    }

    /// Whether a refusal may be one from before the bond, which came after it.
    func mayTryAgain(_ name: String) -> Bool { retried.map { !$0.contains(name) } ?? false }

    /// Without a bond the device is of no use; it is mostly up to a person that there will be one.
    mutating func pairingFailed(_ reason: String) {
        fail(reason, longest: 600)
        end()
    }

    mutating func bondLost(_ reason: String) {
        guard mayRenewBond else { return fail(reason, longest: 600) }
        actions.append(.stopSeeking)
        renewBond(reason)
    }

    mutating func bondRefused(_ name: String) {
        if mayTryAgain(name) {
            retried?.insert(name)
            return take([name])
        }
        refused.insert(name)
        if mayRenewBond { renewBond("its bond is of no use any more") }
    }

    /// A link ends on which all that was asked for was granted.
    mutating func bondHasProved() {
        if phase == .ready && refused.isEmpty { hasRenewedBond = false }
    }

    private mutating func renewBond(_ reason: String) {
        self.reason = reason
        hasRenewedBond = true
        phase = .ending
        isHolding = false
        actions += [.cancel(.quiet), .cancel(.hold), .forgetBond]
    }
}
