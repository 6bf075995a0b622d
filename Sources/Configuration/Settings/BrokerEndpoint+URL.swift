extension BrokerEndpoint {
    /// The URL in the form of the configuration; with a host, it always contains the port.
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
