extension Configuration {
    /// When a device is connected.
    package enum ConnectPolicy: Sendable, Hashable {
        /// Stay connected; reconnect without limit.
        case always
        /// Connect at this interval, collect values, disconnect.
        case every(Duration)
        /// Connect for commands.
        case onDemand
        /// Listen to advertisements only.
        case never

        /// Whether the device is connected without a request.
        package var isConnectedByItself: Bool {
            switch self {
            case .always, .every: true
            case .onDemand, .never: false
            }
        }
    }
}
