internal import Bluetooth

/// The bond, and the doubts about it.
extension Peripheral {
    /// The bond is ended on purpose.
    func bondEnds() {
        isBonded = false
        for route in routes.all { routes.change(route.path) { $0.isBonded = false } }
        bondedAdapters = []
        fruitlessLinks = 0
    }

    /// A link is asked for, while the agent can do this.
    func linkBegins(with capability: AgentCapability?) {
        linkCapability = capability
    }

    /// The link is of use.
    func linkHolds() {
        fruitlessLinks = 0
    }

    /// How many links in a row must have come to nothing: two bursts of attempts, and most of them.
    ///
    /// A link at the edge of the range, too, comes up and goes down again, but not as often as that.
    private static let mostFruitlessLinks = 6

    /// What it means that the peripheral could not be connected.
    ///
    /// bluetoothd encrypts the link of a bonded peripheral at once. With one that does not know the keys any more, the
    /// link comes up and goes down again each time, and up to 5.82 Connect fails with what it always fails with.
    func judge(_ error: CentralError, linksBefore: Int) -> CentralError {
        let links = linkCount - linksBefore
        guard isBonded, links > 0, error.code == .connectionFailed else {
            if error.code != .bondLost { fruitlessLinks = 0 }
            return error
        }
        fruitlessLinks += links
        guard fruitlessLinks >= Self.mostFruitlessLinks else { return error }
        fruitlessLinks = 0
        return CentralError(.bondLost, object, "connect: \(CentralError.bondLossAdvice)")
    }
}
