import System

extension Configuration {
    /// When a device is connected.
    package enum ConnectPolicy: Sendable, Hashable {
        /// The device stays connected; the number of reconnections is not limited.
        case always
        /// The device is connected at this interval, until its values are collected.
        case every(Duration)
        /// The device is connected for commands.
        case onDemand
        /// The device is never connected; only its advertisements are received.
        case never

        /// Whether the device is connected without a request.
        package var isConnectedByItself: Bool {
            switch self {
            case .always, .every: true
            case .onDemand, .never: false
            }
        }

        /// The policy as written in the configuration.
        package var text: String {
            switch self {
            case .always: "always"
            case .every(let interval): "every \(interval.exactText)"
            case .onDemand: "on demand"
            case .never: "never"
            }
        }
    }
}
