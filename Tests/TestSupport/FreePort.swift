import Foundation
import Synchronization

/// Returns a free TCP port of the loopback interface.
///
/// The port is below the system's range for clients (32768 and up). From this range, a client that retries could get
/// the port to which it connects as its own port, and connect to itself.
package func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<32_000)
        // A port is returned only once: the test that got a port might not listen on this port yet.
        if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw CommandError("no free port was found")
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
