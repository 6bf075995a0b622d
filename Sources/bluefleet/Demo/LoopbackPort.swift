import EventLoop
import Glibc
import System

/// A TCP port of 127.0.0.1.
struct LoopbackPort {
    let number: UInt16

    /// Returns a port that is not in use.
    static func unused() throws(SystemError) -> LoopbackPort {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("cannot create a socket", errno) }
        defer { close(descriptor) }
        var address = LoopbackPort(number: 0).address
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard found else { throw SystemError("no port of 127.0.0.1 is free", errno) }
        return LoopbackPort(number: UInt16(bigEndian: address.sin_port))
    }

    var address: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }
}
