import CMicroHTTPD
import Glibc
import System

/// Opens the sockets on which a server accepts connections.
enum ListenSocket {
    private static let backlog: Int32 = 64

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - address: The address; a Unix socket of an earlier run is replaced.
    ///   - mode: The access rights of a Unix socket.
    /// - Returns: The descriptor, which the caller closes.
    /// - Throws: `SystemError`, which names the address.
    static func open(_ address: ListenAddress, mode: mode_t) throws(SystemError) -> Int32 {
        let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("cannot listen on \(address)", errno) }
        do throws(SystemError) {
            switch address {
            case .tcp:
                var isOn: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
                try bind(descriptor, to: address)
            case .socket(let path):
                removeStale(path)
                // Other users must not connect before the access rights are set.
                let earlier = umask(0o177)
                defer { umask(earlier) }
                try bind(descriptor, to: address)
                chmod(path, mode)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Removes the socket of an earlier run; other files stay.
    private static func removeStale(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
    }

    private static func bind(_ descriptor: Int32, to address: ListenAddress) throws(SystemError) {
        let isBound = try address.withSocketAddress { Glibc.bind(descriptor, $0, $1) == 0 }
        guard isBound, listen(descriptor, backlog) == 0 else {
            throw SystemError("cannot listen on \(address)", errno)
        }
    }

    /// Returns the port on which a TCP socket listens; nil for a Unix socket.
    static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isKnown else { return nil }
        let family = Int32(address.ss_family)
        return withUnsafeBytes(of: address) { bytes in
            switch family {
            case AF_INET: UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port)
            case AF_INET6: UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port)
            default: nil
            }
        }
    }

    /// Returns the address of a client; nil for a client of a Unix socket.
    static func client(_ address: UnsafePointer<sockaddr>?) -> IPAddress? {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: return nil
        }
    }
}
