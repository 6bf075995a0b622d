/// The address on which a server accepts connections.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    case tcp(IPAddress, port: UInt16)
    /// A Unix socket.
    case socket(path: String)

    /// Whether only programs of this machine reach the address.
    package var isLocal: Bool {
        switch self {
        case .tcp(let address, _): address.isLoopback
        case .socket: true
        }
    }

    /// The address as in the configuration.
    package var description: String {
        switch self {
        case .tcp(let address, let port): address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }
}
