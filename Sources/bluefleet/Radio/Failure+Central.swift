internal import BlueZ

extension Failure {
    /// What an error of the central is to whoever typed the command.
    ///
    /// - Parameter bus: the one on which it was tried, for advice.
    init(_ error: CentralError, on bus: String) {
        switch error.code {
        case .unauthorized, .pairingFailed: self.init(.noPermission, error.description)
        case .notPaired:
            let words = "\(error.object.prefix(17))\(MessageBus.words(for: bus))"
            self.init(.noPermission, "\(error.object): it wants a bond: bluefleet pair \(words)")
        case .connectionTimeout:
            self.init(
                .unavailable,
                "\(error). Bring it nearer, and try again; what only advertises takes no connection: connect: never")
        default: self.init(.unavailable, error.description)
        }
    }
}
