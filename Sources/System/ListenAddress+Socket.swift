package import Glibc

extension ListenAddress {
    /// The type of the socket's addresses: AF_INET, AF_INET6 or AF_UNIX.
    package var family: Int32 {
        switch self {
        case .tcp(let host, _): host.isIPv6 ? AF_INET6 : AF_INET
        case .socket: AF_UNIX
        }
    }

    /// Calls a function with the address in the form of the kernel.
    ///
    /// - Parameter body: The function, such as bind(2) or connect(2) with a descriptor.
    /// - Returns: Its result.
    /// - Throws: `SystemError` with ENAMETOOLONG for the path of a Unix socket with more than 107 bytes.
    package func withSocketAddress<Value>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws(SystemError) -> Value {
        switch self {
        case .tcp(let host, let port) where host.isIPv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(family)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: host.bytes) }
            return Self.pass(address, to: body)
        case .tcp(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(family)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: host.bytes) }
            return Self.pass(address, to: body)
        case .socket(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(family)
            guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw SystemError("cannot use \(self)", ENAMETOOLONG)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return Self.pass(address, to: body)
        }
    }

    private static func pass<Address, Value>(
        _ address: Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
