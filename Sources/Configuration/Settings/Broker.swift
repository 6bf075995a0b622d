extension Configuration {
    /// The MQTT broker and the credentials for it.
    package struct Broker: Sendable, Equatable {
        package enum ProtocolVersion: Sendable, Equatable {
            /// MQTT 5.
            case five
            /// MQTT 3.1.1.
            case threeOneOne
        }

        package private(set) var nodes: BrokerNodes
        package let protocolVersion: ProtocolVersion
        /// The first levels of all topics, without a slash at the beginning or end.
        package let prefix: String
        package internal(set) var username: String?
        package internal(set) var passwordFile: SecretFile?
        /// The file with the certificate authorities for the broker's certificate; nil: the system's authorities.
        package let caFile: String?
        /// The file with the client certificate; nil if ``keyFile`` is nil.
        package let certFile: String?
        package let keyFile: String?
        /// The quality of service of published messages, 0 to 2.
        package let qos: Int
        /// The maximum number of messages per second; nil: no limit.
        package let publishRate: Int?

        /// Returns the broker with other nodes.
        package func at(_ nodes: BrokerNodes) -> Broker {
            var broker = self
            broker.nodes = nodes
            return broker
        }
    }
}
