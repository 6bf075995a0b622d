package import Configuration
package import MQTT

extension Client.Settings {
    /// What the configuration says of the broker.
    ///
    /// - Throws: what is wrong with a file that it names.
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
        // What is too long for a request is answered too; the broker drops what is longer than this.
        maximumPacketSize = 16 << 20
        longestPayload = Request.longestPayload + 1
        username = broker.username
        if let file = broker.passwordFile { password = try Secret.read(file.path) }
    }
}
