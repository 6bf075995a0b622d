import Codec

extension Configuration.Share {
    /// The lock in etcd that a gateway must hold while it decides.
    package struct Seat: Sendable, Equatable {
        /// The maximum number of nodes.
        static let mostNodes = 9

        /// The URLs of the nodes of etcd, tried in turn; at least one, each with scheme, host and port.
        package let nodes: [String]
        /// The user of etcd; nil if ``passwordFile`` is nil.
        package let user: String?
        package let passwordFile: SecretFile?
        /// The file with the certificate authorities for the certificates of the nodes; nil: the system's authorities.
        package let caFile: String?

        /// Returns the seat with one of its nodes only.
        package func at(_ node: String) -> Seat {
            Seat(nodes: [node], user: user, passwordFile: passwordFile, caFile: caFile)
        }
    }
}
