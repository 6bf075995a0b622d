package import Configuration
package import MQTT

extension Client.Settings {
    /// Creates the settings for the broker of the configuration.
    ///
    /// - Throws: The error of a secret that cannot be read.
    package init(_ broker: Configuration.Broker, identifier: String) throws {
        switch broker.endpoint {
        case .tcp(let host, let port):
            self.init(.tcp(host: host, port: UInt16(port)), identifier: identifier)
        case .tls(let host, let port):
            self.init(.tcp(host: host, port: UInt16(port)), identifier: identifier)
            var tls = TLS(authorities: broker.caFile)
            if let certificate = broker.certFile, let key = broker.keyFile {
                tls.identity = TLS.Identity(certificate: certificate, key: key)
            }
            self.tls = tls
        case .socket(let path):
            self.init(.unix(path: path), identifier: identifier)
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
