extension BrokerEndpoint {
    /// The URL as in the configuration; a URL with a host always contains the port.
    package var url: String {
        switch self {
        case .tcp: "mqtt://\(address)"
        case .tls: "mqtts://\(address)"
        case .socket: "unix://\(address)"
        }
    }

    /// The URL without its scheme: host and port, or the path of a socket.
    package var address: String {
        switch self {
        case .tcp(let host, let port), .tls(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path): path
        }
    }
}
