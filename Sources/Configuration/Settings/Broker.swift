extension Configuration {
    /// The MQTT broker and how to talk to it.
    package struct Broker: Sendable, Equatable {
        package enum ProtocolVersion: Sendable, Equatable {
            /// MQTT 5.
            case five
            /// MQTT 3.1.1.
            case threeOneOne
        }

        package let endpoint: BrokerEndpoint
        package let protocolVersion: ProtocolVersion
        /// What all topics begin with; without a slash at either end.
        package let prefix: String
        package let username: String?
        package let passwordFile: SecretFile?
        /// The authorities that a broker's certificate may be signed by; nil: the system's.
        package let caFile: String?
        /// The client's certificate; never without ``keyFile``.
        package let certFile: String?
        package let keyFile: String?
        /// The quality of service for what is published, 0 to 2.
        package let qos: Int
    }
}
