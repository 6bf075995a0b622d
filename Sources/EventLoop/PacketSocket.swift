internal import Glibc

/// A local socket that keeps packets apart (`SOCK_SEQPACKET`), on the loop.
package final class PacketSocket {
    private let descriptor: Int32
    private let loop: EventLoop
    private var isOpen = true

    /// - Parameters:
    ///   - descriptor: one end, which is the socket's own from now on.
    ///   - received: called with each packet; one may be empty.
    ///   - ended: called when the other end has been closed and there is nothing left to receive; `close` is still due.
    package init(
        owning descriptor: Int32, on loop: EventLoop, received: @escaping (Span<UInt8>) -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        // Two hundred packets and more have room in it.
        loop.watch(descriptor, for: .readable, canWait: true) { readiness in
            let isReceived = Self.receive(from: descriptor) { packet in
                // An empty packet looks like the end; what was sent before the end comes before the end.
                guard !packet.isEmpty || !readiness.contains(.hangUp) else { return false }
                received(packet)
                return true
            }
            if !isReceived, readiness.contains(.hangUp) { ended() }
        }
    }

    deinit { close() }

    /// Both ends of a new connection; nil when there are no descriptors left.
    package static func pair() -> (near: Int32, far: Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Hands over a packet, if there is one; says whether it was taken.
    private static func receive(from descriptor: Int32, _ take: (Span<UInt8>) -> Bool) -> Bool {
        // An attribute's value has at most 512 bytes (Core Specification, Vol 3, Part F, 3.2.9).
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count >= 0 && take(UnsafeBufferPointer(rebasing: buffer[..<count]).span)
        }
    }

    /// Sends a packet; dropped when the other side does not keep up.
    package func send(_ bytes: [UInt8]) {
        guard isOpen else { return }
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Ends the connection; harmless when it has ended.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(descriptor)
        Glibc.close(descriptor)
    }
}
