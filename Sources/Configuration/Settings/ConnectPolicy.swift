extension Configuration {
    /// When a device is connected.
    package enum ConnectPolicy: Sendable, Hashable {
        /// Stay connected, come back for ever.
        case always
        /// Connect once in this time, collect, disconnect.
        case every(Duration)
        /// Connect for a command.
        case onDemand
        /// Listen to advertisements only.
        case never

        /// Whether it is connected without being asked for.
        package var isConnectedByItself: Bool {
            switch self {
            case .always, .every: true
            case .onDemand, .never: false
            }
        }
    }
}
