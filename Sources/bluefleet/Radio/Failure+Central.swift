import BlueZ

extension Failure {
    /// Creates the failure of a command from an error of the central.
    ///
    /// The commands that the message recommends use the D-Bus `bus`.
    init(_ error: CentralError, on bus: String) {
        switch error.code {
        case .unauthorized, .pairingFailed: self.init(.noPermission, error.description)
        case .notPaired:
            let words = "\(error.object.prefix(17))\(MessageBus.words(for: bus))"
            self.init(.noPermission, "\(error.object): the device requires a bond: bluefleet pair \(words)")
        case .connectionTimeout:
            self.init(
                .unavailable,
                "\(error). Move the device closer and try again. A device that only advertises does not accept connections: "
                    + "use connect: never")
        default: self.init(.unavailable, error.description)
        }
    }
}
