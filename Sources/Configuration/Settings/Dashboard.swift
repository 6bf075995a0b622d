package import System

extension Configuration {
    /// The settings of the dashboard, a program of its own that shows all gateways of the broker.
    package struct Dashboard: Sendable, Equatable {
        /// The requests that the page carries out.
        package enum Access: String, Sendable, CaseIterable {
            case full
            /// The page shows everything, and carries out no request.
            case read
        }

        /// The metrics at `/metrics`.
        package enum Metrics: Sendable {
            case all
            /// No measured values.
            case devices
            /// Neither devices nor measured values.
            case gateways
            case nothing
        }

        package let listen: [ListenAddress]
        /// The file with the password of the page; nil: the page asks for none.
        package let passwordFile: SecretFile?
        package let access: Access
        /// Further names of this machine under which the page is called, in lower case.
        package let names: [String]
        /// The addresses of programs that have asked for a password already.
        package let trustedProxies: [IPNetwork]
        package let metrics: Metrics
        /// How long values are kept for the plots; zero: not at all.
        package let history: Duration
        /// The folder of the history.
        package let historyDirectory: String
        /// The user of the dashboard at the broker; nil: that of the section `mqtt`.
        package let username: String?
        package let brokerPasswordFile: SecretFile?
    }
}

extension Configuration {
    /// The broker with the dashboard's own user, if it has one.
    package var dashboardBroker: Broker {
        guard let username = dashboard.username else { return broker }
        var broker = broker
        broker.username = username
        broker.passwordFile = dashboard.brokerPasswordFile
        return broker
    }
}
