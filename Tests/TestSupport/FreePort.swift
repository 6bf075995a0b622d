import Foundation
import Synchronization

/// A TCP port of the loopback interface that nobody listens on at the moment.
///
/// Not one that the system would give out (32768 and up): a client that tries again and again would some day be given
/// the very port that it tries to reach, and be connected to itself.
package func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = UInt16.random(in: 20_000..<32_000)
        // Who was given it may not have taken it yet.
        if given.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw CommandError("there is no port to be had")
}

private let given = Mutex<Set<UInt16>>([])

private func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    // A program that is being started at this moment has a copy of the socket, which must not keep the port from others.
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

/// Takes no notice of sockets that are bound to the same port and do not listen: what remains of earlier connections.
package func allowReuse(of descriptor: Int32) {
    var isAllowed: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isAllowed, socklen_t(MemoryLayout<Int32>.size))
}
