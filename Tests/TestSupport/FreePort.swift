import Foundation
import Synchronization

/// A free TCP port of the loopback interface.
///
/// The port is below the system's range for clients (32768 and up): a client that retries could otherwise be given the
/// port to which it connects, and connect to itself.
package func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<32_000)
        // The owner of an issued port may not listen on it yet.
        if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw CommandError("there is no port to be had")
}

private let given = Mutex<Set<UInt16>>([])

private func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    // A program that starts at this moment inherits the socket; the socket must not block the port.
    allowReuse(of: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Ignores sockets that are bound to the port without listening, such as those of earlier connections.
package func allowReuse(of descriptor: Int32) {
    var isAllowed: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isAllowed, socklen_t(MemoryLayout<Int32>.size))
}
