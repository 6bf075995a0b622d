internal import BlueZ

extension Failure {
    /// What an error of the central is to whoever typed the command.
    init(_ error: CentralError) {
        switch error.code {
        case .unauthorized, .pairingFailed: self.init(.noPermission, error.description)
        case .notPaired:
            self.init(.noPermission, "\(error.object): it wants a bond: bluefleet pair \(error.object.prefix(17))")
        case .connectionTimeout:
            self.init(
                .unavailable,
                "\(error). Bring it nearer, and try again; what only advertises takes no connection: connect: never")
        default: self.init(.unavailable, error.description)
        }
    }
}
