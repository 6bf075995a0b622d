package import Configuration
package import MQTT

extension Client.Settings {
    /// Creates the settings for the broker of the configuration.
    ///
    /// - Throws: The error of a secret that cannot be read.
    package init(_ broker: Configuration.Broker, identifier: String) throws {
        let nodes = broker.nodes.endpoints.map { Endpoint($0) }
        self.init(nodes[0], identifier: identifier)
        self.nodes = nodes
        // The next node gets its turn soon if the machine of one is switched off.
        if nodes.count > 1 { connectTimeout = .seconds(5) }
        if case .tls = broker.nodes.first {
            var tls = TLS(authorities: broker.caFile)
            if let certificate = broker.certFile, let key = broker.keyFile {
                tls.identity = TLS.Identity(certificate: certificate, key: key)
            }
            self.tls = tls
        }
        version = broker.protocolVersion == .five ? .five : .threeOneOne
        // A request that is too long gets a response too; the broker drops messages above the maximum packet size.
        maximumPacketSize = 16 << 20
        maximumPayloadSize = Request.longestPayload + 1
        username = broker.username
        rate = broker.publishRate
        if let file = broker.passwordFile { password = try Secret.read(file.path) }
    }
}

extension Endpoint {
    /// Creates the endpoint of a node of the configuration.
    fileprivate init(_ endpoint: BrokerEndpoint) {
        switch endpoint {
        case .tcp(let host, let port), .tls(let host, let port): self = .tcp(host: host, port: UInt16(port))
        case .socket(let path): self = .unix(path: path)
        }
    }
}

extension BrokerNodes {
    /// Returns the URL of the node to which a client is connected, or connects.
    package func url(of client: Client) -> String {
        let endpoint = client.endpoint
        return endpoints.first { Endpoint($0) == endpoint }?.url ?? url
    }
}
